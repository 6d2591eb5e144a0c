import { type Columns, ColumnsError, SpreadsheetError } from '../../client/spreadsheets/spreadsheet-error.ts';
import { type Field, readInvoices } from '../read-invoices.ts';
import type { Reading, ReadingRequest } from './read-in-worker.ts';

/** The script of the worker that reads files, so that the page reacts meanwhile. */
addEventListener('message', ({ data }: MessageEvent<ReadingRequest>) => {
  void read(data).then((reading) => postMessage(reading));
});

async function read(request: ReadingRequest): Promise<Reading> {
  try {
    return { invoices: await readInvoices(...request) };
  } catch (error) {
    const text = error instanceof SpreadsheetError ? error.text : { en: String(error), es: String(error) };
    if (error instanceof ColumnsError) return { error: text, columns: error.columns as Columns<Field> };
    return { error: text };
  }
}
