import { dayOf } from '../../../lib/domain/calendar.ts';
import type { DateRange } from '../../../lib/domain/date-range.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import type { StateCode } from '../../../lib/domain/invoice-states.ts';
import { monthOf } from '../../../lib/domain/list-entry.ts';
import { concatPrefetched } from '../../../lib/runtime/concat-prefetched.ts';
import { findSuppliers } from '../../../lib/admin/directory/lists.ts';
import { readCurrentRevisions } from '../../../lib/admin/invoices/current-revisions.ts';
import type { AdminPorts } from '../../../lib/composition/admin-ports.ts';
import type { ListedInvoice } from '../../../lib/storage/invoices/listed-invoices.ts';

/** The filter of a listing of a tenant's invoices. */
export interface InvoiceFilter {
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
  /** The time of the current declaration (ISO 8601 UTC); null: there is none, or `isTimed` is false. */
  readonly declaredAt: string | null;
}

/** Progress of the listing. */
export interface ListingProgress {
  readonly invoices: number;
  readonly suppliers: number;
  readonly ofSuppliers: number;
}

/** Options of the listing. */
export interface ListingOptions {
  /** True if the time of the declaration is needed; it costs a read for each invoice. */
  readonly isTimed?: (invoice: ListedInvoice) => boolean;
  readonly progress?: ((progress: ListingProgress) => void) | undefined;
}

type Ports = Pick<AdminPorts, 'records' | 'counters' | 'listedInvoices' | 'declarations'>;

const PARALLEL_SUPPLIERS = 4;
const PARALLEL_MONTHS = 4;

/**
 * Reads the invoices of a tenant, supplier by supplier and oldest first, page by page. Several months are read in
 * parallel, with one or two pages of each in memory. Throws an OperatorError if the tenant or a supplier does not exist.
 */
export async function* readReviewedInvoices(
  ports: Ports,
  filter: InvoiceFilter,
  { isTimed = () => true, progress }: ListingOptions = {},
): AsyncGenerator<readonly ReviewedInvoice[], void> {
  const { tenant, supplierIds = [] } = filter;
  const suppliers = await findSuppliers(ports, tenant, supplierIds);
  let [invoices, done] = [0, 0];
  const sources = suppliers.map(
    ({ supplierId }) =>
      async function* () {
        yield* readSupplier(ports, { tenant, supplierId }, filter, isTimed);
        done += 1;
      },
  );
  for await (const page of concatPrefetched(sources, PARALLEL_SUPPLIERS)) {
    invoices += page.length;
    progress?.({ invoices, suppliers: done, ofSuppliers: suppliers.length });
    yield page;
  }
}

async function* readSupplier(
  ports: Ports,
  scope: SupplierScope,
  { range, state, declaredSinceMs }: InvoiceFilter,
  isTimed: (invoice: ListedInvoice) => boolean,
): AsyncGenerator<readonly ReviewedInvoice[], void> {
  const [first, last] = [monthOf(dayOf(range.startMs)), monthOf(dayOf(range.endMs))];
  const months = (await ports.counters.months(scope)).filter((month) => month >= first && month <= last);
  const sources = months.map(
    (month) =>
      async function* () {
        for await (const page of ports.listedInvoices(scope, { month, range, state: state ?? null })) {
          const revisions = await readCurrentRevisions(ports.declarations, scope, page.filter(isTimed));
          const reviewed = page.map((invoice) => ({
            ...invoice,
            supplierId: scope.supplierId,
            declaredAt: revisions.get(invoice.invoiceId)?.declaredAt ?? null,
          }));
          const isDeclaredSince = (ms: number) => declaredSinceMs === undefined || ms >= declaredSinceMs;
          yield reviewed.filter(({ declaredAt }) => isDeclaredSince(Date.parse(declaredAt ?? '')));
        }
      },
  );
  yield* concatPrefetched(sources, PARALLEL_MONTHS);
}
