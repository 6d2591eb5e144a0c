import { IMPORTER } from '../../domain/declaration.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import { newEntityId, newUuid } from '../../runtime/ids.ts';
import { inPool } from '../../runtime/pool.ts';
import type { AdminPorts } from '../ports/admin-ports.ts';
import { createToleranceFinder } from '../tolerances/find-tolerances.ts';
import { batchesOf, type Reject } from './batches.ts';
import { importSupplier, type InvoiceStore } from './import-supplier.ts';
import type { KeptState, StoredInvoice } from './merge-record.ts';
import type { SourceRecord } from './source-record.ts';

/** How many records were read, by what became of them; and how many states were kept, with the first of them. */
export interface ImportCounts {
  created: number;
  changed: number;
  unchanged: number;
  rejected: number;
  statesKept: number;
  readonly firstStatesKept: KeptState[];
}

/** The counts before the first record. */
export function noCounts(): ImportCounts {
  return { created: 0, changed: 0, unchanged: 0, rejected: 0, statesKept: 0, firstStatesKept: [] };
}

/**
 * What to import into, and who hears of it: of every rejected record and, from time to time, of the last line up to
 * which all is done.
 */
export interface ImportOptions {
  readonly tenant: string;
  readonly now: Date;
  /** The zone of dates without one, by which lists sort: `-03:00`; UTC unless it is said. */
  readonly zone?: string | undefined;
  readonly reject: (record: SourceRecord, faults: readonly string[]) => Promise<void>;
  readonly progress: (lastLine: number, counts: Readonly<ImportCounts>) => void;
  /** Ends the import early, at such a line. */
  readonly stop?: AbortSignal;
}

const PARALLEL_SUPPLIERS = 8;
const MAX_READ = 100;
/** How many of the states that were kept are named. */
const NAMED_STATES = 20;

/**
 * Imports a stream of records batch by batch; records with faults are rejected, the others written unless they change
 * nothing.
 */
export async function importInvoices(
  ports: AdminPorts,
  records: AsyncIterable<SourceRecord>,
  { tenant, now, zone, reject, progress, stop }: ImportOptions,
): Promise<ImportCounts> {
  const findTolerances = await createToleranceFinder(ports, tenant);
  const store = createInvoiceStore(ports);
  const counts = noCounts();
  for await (const { rows, rejects, lastLine } of batchesOf(records, zone)) {
    if (stop?.aborted) break;
    // A request id of its own: one for millions of declarations would fill one partition with them.
    const run = { now, requestId: newUuid(), newDeclarationId: () => newEntityId(now) };
    const rejected: Reject[] = [...rejects];
    const keptStates: [SourceRecord, KeptState][] = [];
    const suppliers = Map.groupBy(rows, ({ record }) => record.supplier_id);
    const tolerances = await findTolerances(suppliers.keys());
    await inPool([...suppliers], PARALLEL_SUPPLIERS, async ([supplierId, own]) => {
      const tolerance = tolerances.get(supplierId);
      if (!tolerance) {
        const fault = `supplier_id: there is no supplier ${supplierId} in ${tenant}`;
        rejected.push(...own.map(({ source }): Reject => [source, [fault]]));
        return;
      }
      await importSupplier(store, { tenant, supplierId }, own, { tolerance, ...run }, (row, outcome, kept) => {
        if (typeof outcome === 'string') counts[outcome] += 1;
        else rejected.push([row.source, [outcome.fault]]);
        if (kept) keptStates.push([row.source, kept]);
      });
    });
    counts.rejected += rejected.length;
    counts.statesKept += keptStates.length;
    const unnamed = NAMED_STATES - counts.firstStatesKept.length;
    for (const [, state] of byLine(keptStates).slice(0, unnamed)) counts.firstStatesKept.push(state);
    for (const [source, faults] of byLine(rejected)) await reject(source, faults);
    progress(lastLine, counts);
  }
  return counts;
}

function byLine<Entry extends readonly [SourceRecord, unknown]>(entries: readonly Entry[]): Entry[] {
  return entries.toSorted(([a], [b]) => a.line - b.line);
}

/** Invoices, with the history that tells whose declarations they carry. */
export function createInvoiceStore({
  invoices,
  invoiceWriter,
  declarations,
}: Pick<AdminPorts, 'invoices' | 'invoiceWriter' | 'declarations'>): InvoiceStore {
  async function readSome(scope: SupplierScope, invoiceIds: readonly string[]): Promise<StoredInvoice[]> {
    const found = await invoices.getMany(scope, invoiceIds);
    const keys = [...found.values()].flatMap(({ invoiceId, declaration }) =>
      declaration ? [{ invoiceId, revision: declaration.revision }] : [],
    );
    const revisions = await declarations.revisions(scope, keys);
    const imported = new Set(
      revisions.filter(({ declaredBy }) => declaredBy === IMPORTER).map(({ invoiceId }) => invoiceId),
    );
    return invoiceIds.map((id) => {
      const invoice = found.get(id) ?? null;
      return { invoice, declaredHere: Boolean(invoice?.declaration) && !imported.has(id) };
    });
  }

  return {
    ...invoiceWriter,
    async read(scope, invoiceIds) {
      const parts = Array.from({ length: Math.ceil(invoiceIds.length / MAX_READ) }, (_, part) =>
        readSome(scope, invoiceIds.slice(part * MAX_READ, (part + 1) * MAX_READ)),
      );
      return (await Promise.all(parts)).flat();
    },
  };
}
