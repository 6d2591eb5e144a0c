import { Presets, SingleBar } from 'cli-progress';
import { readCurrentRevisions } from '../invoices/write-rows.ts';
import { findSuppliers } from '../directory/read-directory.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { toInvoiceRow } from '../../../lib/contracts/to-response.ts';
import { dayOf } from '../../../lib/domain/calendar.ts';
import type { InvoiceField } from '../../../lib/domain/invoice-fields.ts';
import type { DateRange } from '../../../lib/domain/date-range.ts';
import type { InvoiceRow, SupplierScope } from '../../../lib/domain/invoice.ts';
import type { StateCode } from '../../../lib/domain/invoice-states.ts';
import { monthOf } from '../../../lib/domain/list-entry.ts';
import { decimal, differenceOf, differencePct } from '../../../lib/domain/money.ts';
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
export interface ReviewedInvoice extends InvoiceRow {
  /** The date by which lists are sorted (ISO 8601 UTC, milliseconds). */
  readonly sortDate: string;
  readonly supplierId: string;
  /** The time of the current declaration (ISO 8601 UTC); null: there is none. */
  readonly declaredAt: string | null;
}

const PARALLEL_SUPPLIERS = 4;
const PARALLEL_MONTHS = 4;

/**
 * Reads the invoices of a tenant, supplier by supplier and oldest first, page by page, and shows the progress on a
 * terminal unless it is null. Several months are read in parallel, with one or two pages of each in memory. Throws an
 * OperatorError if the tenant or a supplier does not exist.
 */
export async function* readReviewedInvoices(
  ports: Pick<AdminPorts, 'records' | 'lists' | 'declarations'>,
  filter: InvoiceFilter,
  terminal: OutputStream | null,
): AsyncGenerator<readonly ReviewedInvoice[], void> {
  const { tenant, supplierIds = [] } = filter;
  const suppliers = await findSuppliers(ports, tenant, supplierIds);
  const bar = terminal && showReading(terminal, suppliers.length);
  let [invoices, done] = [0, 0];
  const sources = suppliers.map(
    ({ supplierId }) =>
      async function* () {
        yield* readSupplier(ports, { tenant, supplierId }, filter);
        done += 1;
      },
  );
  try {
    for await (const page of concatPrefetched(sources, PARALLEL_SUPPLIERS)) {
      invoices += page.length;
      bar?.update(done, { invoices });
      yield page;
    }
  } finally {
    bar?.stop();
  }
}

/** Shows on a terminal how many suppliers are read; clears the bar when it is stopped. */
function showReading(stream: OutputStream, suppliers: number): SingleBar {
  const format = '{bar} {value} of {total} suppliers | {invoices} invoices';
  const bar = new SingleBar({ stream, format, clearOnComplete: true, gracefulExit: false }, Presets.shades_classic);
  bar.start(suppliers, 0, { invoices: 0 });
  return bar;
}

async function* readSupplier(
  ports: Pick<AdminPorts, 'lists' | 'declarations'>,
  scope: SupplierScope,
  { range, state, declaredSinceMs }: InvoiceFilter,
): AsyncGenerator<readonly ReviewedInvoice[], void> {
  const [first, last] = [monthOf(dayOf(range.startMs)), monthOf(dayOf(range.endMs))];
  const months = (await ports.lists.months(scope)).filter((month) => month >= first && month <= last);
  const sources = months.map(
    (month) =>
      async function* () {
        for await (const page of ports.lists.invoices(scope, month, range, state ?? null)) {
          const revisions = await readCurrentRevisions(ports.declarations, scope, page);
          const reviewed = page.map((invoice) => {
            const declaredAt = revisions.get(invoice.invoiceId)?.declaredAt ?? null;
            return { ...invoice, supplierId: scope.supplierId, declaredAt };
          });
          yield declaredSinceMs === undefined
            ? reviewed
            : reviewed.filter(({ declaredAt }) => Date.parse(declaredAt ?? '') >= declaredSinceMs);
        }
      },
  );
  yield* concatPrefetched(sources, PARALLEL_MONTHS);
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
 * Yields the items of several sources, one source after the other. It reads up to `most` sources in parallel: the next
 * item of the current source, and the first item of each of the following sources.
 */
export async function* concatPrefetched<Item>(
  sources: Iterable<() => AsyncIterable<Item>>,
  most: number,
): AsyncGenerator<Item, void> {
  const waiting = sources[Symbol.iterator]();
  const begun: { readonly items: AsyncIterator<Item>; readonly first: Promise<IteratorResult<Item>> }[] = [];
  const begin = () => {
    while (begun.length < most) {
      const { value: source, done } = waiting.next();
      if (done) return;
      const items = source()[Symbol.asyncIterator]();
      begun.push({ items, first: fetchNext(items) });
    }
  };
  begin();
  for (let current = begun[0]; current; current = begun[0]) {
    let next = current.first;
    for (let result = await next; !result.done; result = await next) {
      next = fetchNext(current.items);
      yield result.value;
    }
    begun.shift();
    begin();
  }
}

/** Fetches the next item; an error is thrown when the item is awaited, not earlier. */
function fetchNext<Item>(items: AsyncIterator<Item>): Promise<IteratorResult<Item>> {
  const next = items.next();
  next.catch(() => undefined);
  return next;
}
