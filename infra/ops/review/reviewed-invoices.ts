import { Presets, SingleBar } from 'cli-progress';
import { readCurrentRevisions } from '../invoices/write-rows.ts';
import { findSuppliers } from '../directory/read-directory.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { toInvoiceRow } from '../../../lib/contracts/to-response.ts';
import { dayOf } from '../../../lib/domain/calendar.ts';
import type { InvoiceField } from '../../../lib/domain/invoice-fields.ts';
import type { DateRange } from '../../../lib/domain/date-range.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import type { StateCode } from '../../../lib/domain/invoice-states.ts';
import { monthOf } from '../../../lib/domain/list-entry.ts';
import { decimal, differenceOf, differencePct } from '../../../lib/domain/money.ts';
import type { ListedInvoice } from '../tables/listed-invoices.ts';
import type { OutputStream } from '../../terminal.ts';
import { type List, type ToCell, toColumns } from './write-sheet.ts';

/** The filter of a listing of a tenant's invoices. */
interface InvoiceFilter {
  readonly tenant: string;
  /** The suppliers; absent or empty: all suppliers. */
  readonly supplierIds?: readonly string[];
  /** The range of the sort dates; any length. */
  readonly range: DateRange;
  readonly state?: StateCode | undefined;
  /** Only invoices whose current declaration was made at this instant or later. */
  readonly declaredSinceMs?: number | undefined;
}

/** An invoice with the data that the company needs to review it. */
export interface ReviewedInvoice extends ListedInvoice {
  readonly supplierId: string;
  /** The time of the current declaration (ISO 8601 UTC); null: there is none. */
  readonly declaredAt: string | null;
}

type Ports = Pick<AdminPorts, 'records' | 'counters' | 'listedInvoices' | 'declarations'>;

const PARALLEL_SUPPLIERS = 4;
const PARALLEL_MONTHS = 4;

/**
 * Reads the invoices of a tenant, supplier by supplier and oldest first, page by page, and shows the progress on a
 * terminal unless it is null. Several months are read in parallel, with one or two pages of each in memory. Throws an
 * OperatorError if the tenant or a supplier does not exist.
 */
export async function* readReviewedInvoices(
  ports: Ports,
  filter: InvoiceFilter,
  terminal: OutputStream | null,
): AsyncGenerator<readonly ReviewedInvoice[], void> {
  const { tenant, supplierIds = [] } = filter;
  const suppliers = await findSuppliers(ports, tenant, supplierIds);
  const format = '{bar} {value} of {total} suppliers | {invoices} invoices';
  const options = { format, clearOnComplete: true, gracefulExit: false };
  const bar = terminal && new SingleBar({ ...options, stream: terminal }, Presets.shades_classic);
  bar?.start(suppliers.length, 0, { invoices: 0 });
  let [invoices, done] = [0, 0];
  async function* readSupplier(supplierId: string) {
    yield* concatPrefetched(await readMonths(ports, { tenant, supplierId }, filter), PARALLEL_MONTHS);
    done += 1;
  }
  try {
    const sources = suppliers.map(({ supplierId }) => readSupplier(supplierId));
    for await (const page of concatPrefetched(sources, PARALLEL_SUPPLIERS)) {
      invoices += page.length;
      bar?.update(done, { invoices });
      yield page;
    }
  } finally {
    bar?.stop();
  }
}

/** Returns the pages of the invoices of a supplier for each month. */
async function readMonths(ports: Ports, scope: SupplierScope, { range, state, declaredSinceMs }: InvoiceFilter) {
  async function* readMonth(month: string): AsyncGenerator<readonly ReviewedInvoice[], void> {
    for await (const page of ports.listedInvoices(scope, { month, range, state: state ?? null })) {
      const revisions = await readCurrentRevisions(ports.declarations, scope, page);
      const reviewed = page.map((invoice) => {
        const declaredAt = revisions.get(invoice.invoiceId)?.declaredAt ?? null;
        return { ...invoice, supplierId: scope.supplierId, declaredAt };
      });
      yield declaredSinceMs === undefined
        ? reviewed
        : reviewed.filter(({ declaredAt }) => Date.parse(declaredAt ?? '') >= declaredSinceMs);
    }
  }
  const [first, last] = [monthOf(dayOf(range.startMs)), monthOf(dayOf(range.endMs))];
  const months = await ports.counters.months(scope);
  return months.filter((month) => month >= first && month <= last).map(readMonth);
}

/** The fields of an invoice that the sheet does not contain. A new field must be either here or a column. */
type OmittedField =
  'service_id' | 'service_call_date' | 'city' | 'state_name' | 'attachment_url' | 'attachment_filename';

/** The cells of the review sheet. The reviewer fills in the last two. */
const CELLS = {
  supplier_id: ({ supplierId }) => supplierId,
  invoice_id: ({ invoiceId }) => invoiceId,
  invoice_date: ({ invoiceDate }) => invoiceDate,
  service_number: ({ serviceNumber }) => serviceNumber,
  account_name: ({ accountName }) => accountName,
  system_amount: ({ systemAmount }) => systemAmount,
  declared_amount: ({ declaration }) => declaration && declaration.amount,
  declared_tax_pct: ({ declaration }) => declaration && declaration.taxPct,
  difference: ({ declaration, systemAmount }) => declaration && differenceOf(declaration.amount, systemAmount),
  difference_pct: ({ declaration, systemAmount }) =>
    declaration && differencePct(differenceOf(declaration.amount, systemAmount), systemAmount),
  state_code: ({ state }) => state,
  declared_at: ({ declaredAt }) => declaredAt,
  provider_invoice_number: ({ providerInvoice }) => providerInvoice.number,
  provider_invoice_date: ({ providerInvoice }) => providerInvoice.date,
  declared_notes: ({ declaration }) => declaration && declaration.notes,
  declaration_id: ({ declaration }) => declaration && declaration.declarationId,
  revision: ({ declaration }) => declaration && decimal(declaration.revision),
  decision: () => null,
  reason: () => null,
} as const satisfies Record<Exclude<InvoiceField, OmittedField>, ToCell<ReviewedInvoice>> &
  Record<string, ToCell<ReviewedInvoice>>;

export type SheetColumn = keyof typeof CELLS;

export const INVOICE_LIST: List<ReviewedInvoice> = {
  name: 'Invoices',
  columns: toColumns(CELLS),
  toDocument: (invoice) => ({
    supplier_id: invoice.supplierId,
    ...toInvoiceRow(invoice),
    declared_tax_pct: invoice.declaration?.taxPct?.toNumber() ?? null,
    revision: invoice.declaration?.revision ?? null,
    declared_at: invoice.declaredAt,
  }),
};

/**
 * Yields the items of several generators, one after the other. It runs up to `most` generators in parallel: it fetches
 * the next item of the current one, and the first item of each of the following ones.
 */
export async function* concatPrefetched<Item>(
  sources: readonly AsyncIterator<Item>[],
  most: number,
): AsyncGenerator<Item, void> {
  const waiting = [...sources];
  const begin = (items: AsyncIterator<Item>) => ({ items, first: fetchNext(items) });
  const begun = waiting.splice(0, most).map(begin);
  for (let current = begun.shift(); current; current = begun.shift()) {
    const { items, first } = current;
    let next = first;
    for (let result = await next; !result.done; result = await next) {
      next = fetchNext(items);
      yield result.value;
    }
    begun.push(...waiting.splice(0, 1).map(begin));
  }
}

/** Fetches the next item; an error is thrown when the item is awaited, not earlier. */
function fetchNext<Item>(items: AsyncIterator<Item>): Promise<IteratorResult<Item>> {
  const next = items.next();
  next.catch(() => undefined);
  return next;
}
