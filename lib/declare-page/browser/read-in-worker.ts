import type { Columns } from '../../client/spreadsheets/spreadsheet-error.ts';
import type { Text } from '../../domain/language.ts';
import type { Field, InvoiceFile, readInvoices } from '../read-invoices.ts';

/** The message to the worker. */
export type ReadingRequest = Parameters<typeof readInvoices>;

/** The message from the worker with the file, or why it cannot be read, and its columns if they are unclear. */
export interface Reading {
  readonly invoices?: InvoiceFile;
  readonly error?: Text;
  readonly columns?: Columns<Field>;
}

declare global {
  /** The trusted types of the browser. The library of TypeScript does not contain them yet. */
  var trustedTypes:
    { createPolicy(name: string, rules: { createScriptURL(address: string): string | null }): void } | undefined;
}

const WORKER_SCRIPT = 'read-worker.js';

// The content security policy of the page blocks every script address that this policy does not return. The allowed
// scripts are the worker, and those with which the workbook library compresses large files.
globalThis.trustedTypes?.createPolicy('default', {
  createScriptURL: (address) => (address === WORKER_SCRIPT || address.startsWith('blob:') ? address : null),
});

/** Reads a file in a new worker. */
export function readInWorker(...request: ReadingRequest): Promise<Reading> {
  const worker = new Worker(WORKER_SCRIPT, { type: 'module' });
  const { promise, resolve } = Promise.withResolvers<Reading>();
  worker.addEventListener('message', ({ data }: MessageEvent<Reading>) => resolve(data));
  worker.addEventListener('error', ({ message }) => resolve({ error: { en: message, es: message } }));
  worker.postMessage(request);
  return promise.finally(() => worker.terminate());
}
