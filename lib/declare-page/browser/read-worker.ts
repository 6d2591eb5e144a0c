import { type Columns, ColumnsError, SpreadsheetError } from '../../client/spreadsheets/spreadsheet-error.ts';
import { type Field, readInvoices } from '../read-invoices.ts';
import type { ReadRequest, ReadResult } from './read-in-worker.ts';

// The script of the worker. `readInWorker` sends a request, and the page reacts to its user while the file is read.
addEventListener('message', ({ data }: MessageEvent<ReadRequest>) => {
  void read(data).then((result) => postMessage(result));
});

async function read(request: ReadRequest): Promise<ReadResult> {
  try {
    return await readInvoices(...request);
  } catch (error) {
    const text = error instanceof SpreadsheetError ? error.text : { en: String(error), es: String(error) };
    const columns = error instanceof ColumnsError ? (error.columns as Columns<Field>) : null;
    return { error: text, columns };
  }
}
