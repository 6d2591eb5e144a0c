import type { Columns } from '../../client/spreadsheets/spreadsheet-error.ts';
import type { Text } from '../../domain/language.ts';
import type { Field, InvoiceFile, readInvoices } from '../read-invoices.ts';

/** The message to the worker. */
export type ReadRequest = Parameters<typeof readInvoices>;

/** The error of a file that cannot be read, with its columns if the clerk has to choose their fields. */
export interface ReadFailure {
  readonly error: Text;
  readonly columns: Columns<Field> | null;
}

/** The message from the worker. */
export type ReadResult = InvoiceFile | ReadFailure;

declare global {
  /** The trusted types of the browser. The library of TypeScript does not contain them yet. */
  var trustedTypes:
    { createPolicy(name: string, rules: { createScriptURL(address: string): string | null }): void } | undefined;
}

const WORKER_SCRIPT = 'read-worker.js';

// The content security policy of the page blocks every script address that this function does not return. It returns
// the addresses of the worker, and of the scripts (`blob:`) with which the workbook library compresses large files.
globalThis.trustedTypes?.createPolicy('default', {
  createScriptURL: (address) => (address === WORKER_SCRIPT || address.startsWith('blob:') ? address : null),
});

/** Reads a file in a new worker. */
export function readInWorker(...request: ReadRequest): Promise<ReadResult> {
  const worker = new Worker(WORKER_SCRIPT, { type: 'module' });
  const { promise, resolve } = Promise.withResolvers<ReadResult>();
  worker.addEventListener('message', ({ data }: MessageEvent<ReadResult>) => resolve(data));
  worker.addEventListener('error', ({ message }) => resolve({ error: { en: message, es: message }, columns: null }));
  worker.postMessage(request);
  return promise.finally(() => worker.terminate());
}
