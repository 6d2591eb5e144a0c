import { type Columns, ColumnsError, TextError } from '../../client/spreadsheets/spreadsheet-error.ts';
import { type Field, readInvoices } from '../read-invoices.ts';
import type { Reading, ReadingRequest } from './read-in-worker.ts';

/** The script of the worker that reads files, so that the page reacts meanwhile. */
addEventListener('message', ({ data: { bytes, options } }: MessageEvent<ReadingRequest>) => {
  void read(bytes, options).then((reading) => postMessage(reading));
});

async function read(...[bytes, options]: Parameters<typeof readInvoices>): Promise<Reading> {
  try {
    return { invoices: await readInvoices(bytes, options) };
  } catch (error) {
    const text = error instanceof TextError ? error.text : { en: String(error), es: String(error) };
    return { failure: error instanceof ColumnsError ? { text, columns: error.columns as Columns<Field> } : { text } };
  }
}
