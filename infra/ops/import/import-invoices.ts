import { newEntityId, newUuid } from '../../../lib/runtime/ids.ts';
import { compileSchema } from '../find-faults.ts';
import { createToleranceFinder } from '../find-tolerances.ts';
import { inLanes } from '../in-lanes.ts';
import type { DataTarget } from '../target/target.ts';
import { importSupplier } from './import-supplier.ts';
import { createInvoiceStore } from './invoice-store.ts';
import type { SourceRecord } from './read-records.ts';
import { type InvoiceRecord, recordSchema } from './record-schema.ts';

/** How many records were read, by what became of them. */
export interface ImportCounts {
  created: number;
  changed: number;
  unchanged: number;
  rejected: number;
}

/** What to import into, and who hears of it: of every rejected record and, from time to time, of the last line up to which all is done. */
export interface ImportOptions {
  readonly tenant: string;
  readonly now: Date;
  readonly reject: (record: SourceRecord, faults: readonly string[]) => Promise<void>;
  readonly progress: (lastLine: number, counts: Readonly<ImportCounts>) => void;
  /** Ends the import early, at such a line. */
  readonly stop?: AbortSignal;
}

interface Row {
  readonly source: SourceRecord;
  readonly record: InvoiceRecord;
}

// The memory that an import needs, and how far its progress is apart.
const WINDOW = 1000;
const PARALLEL_SUPPLIERS = 4;

const findFaults = compileSchema(recordSchema);

/** Imports a stream of records window by window; records with faults are rejected, the others written unless they change nothing. */
export async function importInvoices(
  target: DataTarget,
  records: AsyncIterable<SourceRecord>,
  { tenant, now, reject, progress, stop }: ImportOptions,
): Promise<ImportCounts> {
  const findTolerances = await createToleranceFinder(target, tenant);
  const store = createInvoiceStore(target);
  const counts: ImportCounts = { created: 0, changed: 0, unchanged: 0, rejected: 0 };
  for await (const window of inWindows(records)) {
    if (stop?.aborted) break;
    // A request id of its own: one for millions of declarations would be a hot key of the index by request.
    const run = { now, requestId: newUuid(), newDeclarationId: () => newEntityId(now) };
    const rejected: [SourceRecord, string[]][] = [];
    const rows = window.flatMap((source): Row[] => {
      const faults = 'fault' in source ? [source.fault] : findFaults(source.value, '');
      if ('value' in source && faults.length === 0) return [{ source, record: source.value as InvoiceRecord }];
      rejected.push([source, faults]);
      return [];
    });
    const suppliers = Map.groupBy(rows, ({ record }) => record.supplier_id);
    const tolerances = await findTolerances(suppliers.keys());
    await inLanes([...suppliers], PARALLEL_SUPPLIERS, async ([supplierId, own]) => {
      const tolerance = tolerances.get(supplierId);
      if (!tolerance) {
        const fault = `supplier_id: there is no supplier ${supplierId} in ${tenant}`;
        rejected.push(...own.map(({ source }): [SourceRecord, string[]] => [source, [fault]]));
        return;
      }
      await importSupplier(store, { tenant, supplierId }, own, { tolerance, ...run }, ({ source }, outcome) => {
        if (typeof outcome === 'string') counts[outcome] += 1;
        else rejected.push([source, [outcome.fault]]);
      });
    });
    counts.rejected += rejected.length;
    for (const [source, faults] of rejected.toSorted(([a], [b]) => a.line - b.line)) await reject(source, faults);
    progress(window.at(-1)?.line ?? 0, counts);
  }
  return counts;
}

async function* inWindows(records: AsyncIterable<SourceRecord>): AsyncGenerator<SourceRecord[]> {
  let window: SourceRecord[] = [];
  for await (const record of records) {
    window.push(record);
    if (window.length < WINDOW) continue;
    yield window;
    window = [];
  }
  if (window.length > 0) yield window;
}
