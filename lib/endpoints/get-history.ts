import type { GetHistoryInput } from '../contracts/get-history.ts';
import { toHistoryEntry } from '../contracts/to-response.ts';
import { createInvoiceNotFoundError } from '../domain/errors.ts';
import type { RecordedChange } from '../domain/invoice-change.ts';
import { type HistoryEntry, listHistoryEntries } from '../domain/invoice-history.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import { LIMITS } from '../domain/limits.ts';
import type { PrefetchingEndpoint } from './endpoint.ts';
import type { InvoiceReader } from './get-invoice.ts';

/** The port that reads all changes of an invoice, oldest first and strongly consistent. */
export interface HistoryReader {
  read(scope: SupplierScope, invoiceId: string): Promise<readonly RecordedChange[]>;
}

/** Creates the endpoint that returns the history of one of the caller's invoices, or throws NOT_FOUND. */
export function createGetHistoryEndpoint(
  invoices: InvoiceReader,
  histories: HistoryReader,
): PrefetchingEndpoint<GetHistoryInput, HistoryEntry[] | null> {
  return {
    read: (scope, { id }) => readHistory(invoices, histories, scope, id),
    respond({ input, found: entries }) {
      if (!entries) throw createInvoiceNotFoundError();
      const limit = input.limit ?? LIMITS.pageDefault;
      const offset = input.offset ?? 0;
      const page = entries.slice(offset, offset + limit);
      return { data: page.map(toHistoryEntry), meta: { total: entries.length, limit, offset } };
    },
  };
}

/** Reads the history of an invoice, newest change first. Returns null if the supplier has no invoice with this id. */
async function readHistory(
  invoices: InvoiceReader,
  histories: HistoryReader,
  scope: SupplierScope,
  invoiceId: string,
): Promise<HistoryEntry[] | null> {
  const readChanges = () => histories.read(scope, invoiceId);
  const [invoice, firstChanges] = await Promise.all([invoices.get(scope, invoiceId), readChanges()]);
  if (!invoice) return null;
  // The two reads are parallel. If the invoice is newer than its history, the second read contains the missing changes.
  // If the history is newer, its later changes are left out.
  const latestVersion = firstChanges.at(-1)?.version ?? 1;
  const changes = latestVersion < invoice.version ? await readChanges() : firstChanges;
  const changesOfInvoice = changes.filter(({ version }) => version <= invoice.version);
  return listHistoryEntries(invoice, changesOfInvoice);
}
