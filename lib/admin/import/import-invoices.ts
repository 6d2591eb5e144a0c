import { IMPORTER } from '../../domain/declaration.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import { newEntityId, newUuid } from '../../runtime/ids.ts';
import { inChunks } from '../../runtime/pages.ts';
import { inPool } from '../../runtime/pool.ts';
import { createZeroVariantFinder } from '../invoices/zero-variants.ts';
import type { AdminPorts } from '../ports/admin-ports.ts';
import { createToleranceFinder } from '../tolerances/find-tolerances.ts';
import { type BatchOptions, batchesOf, type Reject } from './batches.ts';
import { addKeptStates, addResult, type ImportCounts, noCounts } from './import-counts.ts';
import { importSupplier, type InvoiceStore } from './import-supplier.ts';
import type { KeptState } from './kept-state.ts';
import type { StoredInvoice } from './merge-record.ts';
import type { Force } from './protection.ts';
import type { SourceRecord } from './source-record.ts';

/**
 * The options of an import. `reject` is called for every rejected record, and `progress` from time to time, with the
 * line up to which all records are done.
 */
export interface ImportOptions extends BatchOptions {
  readonly tenant: string;
  readonly now: Date;
  /** Whether new ids may differ from stored ones only in leading zeros. */
  readonly allowsZeros?: boolean;
  readonly force?: Force | undefined;
  readonly hasWallTimes?: boolean | undefined;
  readonly reject: (record: SourceRecord, faults: readonly string[]) => Promise<void>;
  readonly progress: (lastLine: number, counts: Readonly<ImportCounts>) => void;
  /** Ends the import early, between two batches. */
  readonly stop?: AbortSignal;
}

const PARALLEL_SUPPLIERS = 8;
const MAX_READ = 100;

/**
 * Imports the records of a file that was surveyed, batch by batch. Records with errors are rejected. The others are
 * written unless they change nothing.
 */
export async function importInvoices(
  ports: AdminPorts,
  records: AsyncIterable<SourceRecord>,
  { tenant, now, force, hasWallTimes, allowsZeros = false, reject, progress, stop, ...batching }: ImportOptions,
): Promise<ImportCounts> {
  const findTolerances = await createToleranceFinder(ports, tenant);
  const store = createInvoiceStore(ports, { allowsZeros });
  const counts = noCounts();
  for await (const { rows, rejects, repeated, lastLine } of batchesOf(records, batching)) {
    if (stop?.aborted) break;
    // A request id of its own: one for millions of declarations would fill one partition with them.
    const run = { now, force, hasWallTimes, requestId: newUuid(), newDeclarationId: () => newEntityId(now) };
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
      await importSupplier(store, { tenant, supplierId }, own, { tolerance, ...run }, ({ source }, result) => {
        addResult(counts, result);
        if (typeof result.outcome === 'object') rejected.push([source, [result.outcome.fault]]);
        if (result.keptState) keptStates.push([source, result.keptState]);
      });
    });
    counts.rejected += rejected.length;
    counts.repeated += repeated;
    addKeptStates(
      counts,
      byLine(keptStates).map(([, state]) => state),
    );
    for (const [source, faults] of byLine(rejected)) await reject(source, faults);
    progress(lastLine, counts);
  }
  return counts;
}

function byLine<Entry extends readonly [SourceRecord, unknown]>(entries: readonly Entry[]): Entry[] {
  return entries.toSorted(([a], [b]) => a.line - b.line);
}

/** Creates the store of an import: invoices, whose declarations they have, and other ids that prevent new ones. */
export function createInvoiceStore(
  ports: Pick<AdminPorts, 'invoices' | 'invoiceWriter' | 'declarations' | 'invoiceIds'>,
  { allowsZeros }: { readonly allowsZeros: boolean },
): InvoiceStore {
  const { invoices, invoiceWriter, declarations } = ports;
  const findZeroVariants = createZeroVariantFinder(ports);

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
      const parts = await Promise.all(inChunks(invoiceIds, MAX_READ).map((ids) => readSome(scope, ids)));
      const stored = parts.flat();
      if (allowsZeros) return stored;
      const newIds = invoiceIds.filter((_, index) => !stored[index]?.invoice);
      const variants = await findZeroVariants(scope, newIds);
      return stored.map((one, index) => ({ ...one, zeroVariant: variants.get(invoiceIds[index] ?? '') }));
    },
  };
}
