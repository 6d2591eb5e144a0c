import { dayOf } from '../../domain/calendar.ts';
import type { DateRange } from '../../domain/date-range.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import type { StateCode } from '../../domain/invoice-states.ts';
import { monthOf } from '../../domain/list-entry.ts';
import { inOrder } from '../../runtime/in-order.ts';
import { inPool } from '../../runtime/pool.ts';
import { findNamedSuppliers } from '../directory/find-suppliers.ts';
import type { AdminPorts, ListedInvoice } from '../ports/admin-ports.ts';

/** Which invoices of a tenant. */
export interface WantedInvoices {
  readonly tenant: string;
  /** Of which suppliers; empty: of all. */
  readonly supplierIds: readonly string[];
  /** By the dates that lists go by; any length. */
  readonly range: DateRange;
  readonly state: StateCode | null;
  /** Only those whose declaration, as it stands, is of this instant or later. */
  readonly declaredSince: Date | null;
}

/** An invoice as the company reviews it. */
export interface ReviewedInvoice extends ListedInvoice {
  readonly supplierId: string;
  /** When the declaration that stands was made (ISO 8601 UTC); null: there is none, or nobody asked. */
  readonly declaredAt: string | null;
}

/** How far a reading is. */
export interface ReadingProgress {
  readonly invoices: number;
  readonly suppliers: number;
  readonly ofSuppliers: number;
}

/** What somebody wants to know of a reading. */
export interface ReadingOptions {
  /** Of which invoices the time of the declaration is asked; each costs a read. */
  readonly isTimed?: (invoice: ListedInvoice) => boolean;
  readonly progress?: ((progress: ReadingProgress) => void) | undefined;
}

type Ports = Pick<AdminPorts, 'records' | 'counters' | 'listedInvoices' | 'declarations'>;

const PARALLEL_SUPPLIERS = 4;
const PARALLEL_MONTHS = 4;
const PARALLEL_READS = 4;
const MAX_READ = 100;

/**
 * The invoices of a tenant, supplier by supplier and oldest first, page by page. It reads some months side by side, and
 * holds a page or two of each. Throws an OperatorError when the tenant or a supplier is not there.
 */
export async function* reviewedInvoices(
  ports: Ports,
  wanted: WantedInvoices,
  { isTimed = () => true, progress }: ReadingOptions = {},
): AsyncGenerator<readonly ReviewedInvoice[], void> {
  const { tenant, supplierIds } = wanted;
  const suppliers = await findNamedSuppliers(ports, tenant, supplierIds);
  let [invoices, done] = [0, 0];
  const sources = suppliers.map(
    ({ supplierId }) =>
      async function* () {
        yield* ofSupplier(ports, { tenant, supplierId }, wanted, isTimed);
        done += 1;
      },
  );
  for await (const page of inOrder(sources, PARALLEL_SUPPLIERS)) {
    invoices += page.length;
    progress?.({ invoices, suppliers: done, ofSuppliers: suppliers.length });
    yield page;
  }
}

async function* ofSupplier(
  ports: Ports,
  scope: SupplierScope,
  { range, state, declaredSince }: WantedInvoices,
  isTimed: (invoice: ListedInvoice) => boolean,
): AsyncGenerator<readonly ReviewedInvoice[], void> {
  const [first, last] = [monthAt(range.startMs), monthAt(range.endMs)];
  const months = (await ports.counters.months(scope)).filter((month) => month >= first && month <= last);
  const sources = months.map(
    (month) =>
      async function* () {
        for await (const page of ports.listedInvoices(scope, { month, range, state })) {
          const invoices = declaredSince ? page.filter(({ declaration }) => declaration) : page;
          const times = await declarationTimes(ports, scope, invoices.filter(isTimed));
          const reviewed = invoices.map((invoice) => ({
            ...invoice,
            supplierId: scope.supplierId,
            declaredAt: times.get(invoice.invoiceId) ?? null,
          }));
          yield declaredSince ? reviewed.filter(({ declaredAt }) => isSince(declaredAt, declaredSince)) : reviewed;
        }
      },
  );
  yield* inOrder(sources, PARALLEL_MONTHS);
}

/** When what stands on these invoices was declared, by invoice id. */
async function declarationTimes(
  { declarations }: Ports,
  scope: SupplierScope,
  invoices: readonly ListedInvoice[],
): Promise<Map<string, string>> {
  const keys = invoices.flatMap(({ invoiceId, declaration }) =>
    declaration ? [{ invoiceId, revision: declaration.revision }] : [],
  );
  const parts = Array.from({ length: Math.ceil(keys.length / MAX_READ) }, (_, part) =>
    keys.slice(part * MAX_READ, (part + 1) * MAX_READ),
  );
  const times = new Map<string, string>();
  await inPool(parts, PARALLEL_READS, async (part) => {
    for (const { invoiceId, declaredAt } of await declarations.revisions(scope, part)) times.set(invoiceId, declaredAt);
  });
  return times;
}

function monthAt(epochMs: number): string {
  return monthOf(dayOf(epochMs));
}

function isSince(declaredAt: string | null, since: Date): boolean {
  return declaredAt !== null && Date.parse(declaredAt) >= since.getTime();
}
