import type { DateRange } from '../../../lib/domain/date-range.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import type { InvoiceLists, InvoiceSelection } from '../../../lib/invoices/invoice-pages.ts';
import { buildReferenceList } from '../data/reference-list.ts';

/** Waits until a read may happen. A property schedules the reads with it, a test records their names. */
type Turn = (read: keyof InvoiceLists) => Promise<unknown>;

const selectRange = (range: DateRange) => ({ range, state: null, text: '', changedSince: null });
const ALL = { limit: Number.MAX_SAFE_INTEGER, offset: 0 };

/** Creates the reader of lists of the invoices that `getInvoices` returns at the time of each read. */
export function createMemoryLists(getInvoices: () => readonly Invoice[], turn: Turn): InvoiceLists {
  const listIds = ({ text, ...selection }: InvoiceSelection) =>
    buildReferenceList(getInvoices(), { ...selection, ...ALL, search: text }).ids;
  const readById = (ids: readonly string[]) => {
    const invoicesById = new Map(getInvoices().map((invoice) => [invoice.invoiceId, invoice]));
    return ids.flatMap((id) => invoicesById.get(id) ?? []);
  };
  return {
    async findIds(_, selection) {
      await turn('findIds');
      return listIds(selection);
    },
    async readRows(_, ids, selection) {
      await turn('readRows');
      const selectedIds = new Set(listIds(selection));
      return new Map(readById(ids.filter((id) => selectedIds.has(id))).map((invoice) => [invoice.invoiceId, invoice]));
    },
    async count(_, range) {
      await turn('count');
      return listIds(selectRange(range)).length;
    },
    async readNewest(_, range, limit) {
      await turn('readNewest');
      return readById(listIds(selectRange(range)).slice(0, limit));
    },
  };
}
