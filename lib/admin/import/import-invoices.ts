import { IMPORTER } from '../../domain/declaration.ts';
import type { Invoice, SupplierScope } from '../../domain/invoice.ts';
import { decimal, type Decimal } from '../../domain/money.ts';
import { newEntityId, newUuid } from '../../runtime/ids.ts';
import { inPool } from '../../runtime/pool.ts';
import type { TransactionCost } from '../../services/transactions.ts';
import { type Rejection, type RowPlan, writeRows } from '../invoices/write-rows.ts';
import { createZeroVariantFinder } from '../invoices/zero-variants.ts';
import type { AdminPorts, InvoiceWriter } from '../../composition/admin-ports.ts';
import { createToleranceFinder } from '../directory/tolerances.ts';
import { buildBatches, type BatchOptions, type Reject } from './batches.ts';
import { type Force, type MergeContext, mergeRecord, type StoredInvoice } from './merge-record.ts';
import type { InvoiceRecord } from './record-schema.ts';
import type { SourceRecord } from './source-record.ts';

/**
 * The options of an import. `reject` is called for every rejected record, and `progress` after each batch, with the
 * line up to which all records are processed.
 */
export interface ImportOptions extends BatchOptions {
  readonly tenant: string;
  readonly now: Date;
  /** True if new ids may differ from stored ids only in leading zeros. */
  readonly allowsZeros?: boolean;
  readonly force?: Force | undefined;
  readonly hasWallTimes?: boolean | undefined;
  readonly reject: (record: SourceRecord, errors: readonly string[]) => Promise<void>;
  readonly progress: (lastLine: number, counts: Readonly<ImportCounts>) => void;
  /** Stops the import between two batches. */
  readonly stop?: AbortSignal;
}

const PARALLEL_SUPPLIERS = 8;

/** Imports the valid records of a surveyed file, batch by batch. Writes only the records that change an invoice. */
export async function importInvoices(
  ports: AdminPorts,
  records: AsyncIterable<SourceRecord>,
  { tenant, now, force, hasWallTimes, allowsZeros = false, reject, progress, stop, ...batching }: ImportOptions,
): Promise<ImportCounts> {
  const findTolerances = await createToleranceFinder(ports, tenant);
  const store = createInvoiceStore(ports, { allowsZeros });
  const counts = createCounts();
  for await (const { rows, rejects, repeated, lastLine } of buildBatches(records, batching)) {
    if (stop?.aborted) break;
    // Each batch has its own request id: millions of declarations with one id would fill one partition.
    const run = { now, force, hasWallTimes, requestId: newUuid(), newDeclarationId: () => newEntityId(now) };
    const rejected: Reject[] = [...rejects];
    const ignored: [SourceRecord, IgnoredState][] = [];
    const suppliers = Map.groupBy(rows, ({ record }) => record.supplier_id);
    const tolerances = await findTolerances(suppliers.keys());
    await inPool([...suppliers], PARALLEL_SUPPLIERS, async ([supplierId, own]) => {
      const tolerance = tolerances.get(supplierId);
      if (!tolerance) {
        const error = `supplier_id: supplier ${supplierId} of ${tenant} does not exist`;
        rejected.push(...own.map(({ source }): Reject => [source, [error]]));
        return;
      }
      await importSupplier(store, { tenant, supplierId }, own, { tolerance, ...run }, ({ source }, result) => {
        if ('error' in result) rejected.push([source, [result.error]]);
        else addResult(counts, result);
        if ('ignoredState' in result && result.ignoredState) ignored.push([source, result.ignoredState]);
      });
    });
    counts.rejected += rejected.length;
    counts.repeated += repeated;
    counts.ignoredStates += ignored.length;
    const named = sortByLine(ignored).slice(0, MAX_NAMED_STATES - counts.firstIgnoredStates.length);
    counts.firstIgnoredStates.push(...named.map(([, state]) => state));
    for (const [source, errors] of sortByLine(rejected)) await reject(source, errors);
    progress(lastLine, counts);
  }
  return counts;
}

function sortByLine<Entry extends readonly [SourceRecord, unknown]>(entries: readonly Entry[]): Entry[] {
  return entries.toSorted(([a], [b]) => a.line - b.line);
}

/** Creates the store of an import: invoices, who declared them, and stored ids that differ only in leading zeros. */
function createInvoiceStore(
  ports: Pick<AdminPorts, 'invoices' | 'invoiceWriter' | 'declarations' | 'invoiceIds'>,
  { allowsZeros }: { readonly allowsZeros: boolean },
): InvoiceStore {
  const { invoices, invoiceWriter, declarations } = ports;
  const findZeroVariants = createZeroVariantFinder(ports);

  return {
    ...invoiceWriter,
    async read(scope, invoiceIds) {
      const found = await invoices.getMany(scope, invoiceIds);
      const keys = [...found.values()].flatMap(({ invoiceId, declaration }) =>
        declaration ? [{ invoiceId, revision: declaration.revision }] : [],
      );
      const revisions = await declarations.revisions(scope, keys);
      const imported = new Set(
        revisions.filter(({ declaredBy }) => declaredBy === IMPORTER).map(({ invoiceId }) => invoiceId),
      );
      const newIds = allowsZeros ? [] : invoiceIds.filter((id) => !found.has(id));
      const variants = await findZeroVariants(scope, newIds);
      return invoiceIds.map((id) => {
        const invoice = found.get(id) ?? null;
        const declaredBySupplier = Boolean(invoice?.declaration) && !imported.has(id);
        return { invoice, declaredBySupplier, zeroVariant: variants.get(id) };
      });
    },
  };
}

/** The counts of records by outcome, and the other data of the summary of an import. */
export type ImportCounts = ReturnType<typeof createCounts>;

/** The maximum ignored states that the summary lists. */
const MAX_NAMED_STATES = 20;

/** Creates counts of zero. */
export function createCounts() {
  return {
    ...{ created: 0, changed: 0, unchanged: 0, rejected: 0 },
    /** The number of records that were skipped because they repeat another record. */
    repeated: 0,
    ignoredStates: 0,
    firstIgnoredStates: [] as IgnoredState[],
    /** The system amounts that were changed; `absolute` is the sum of the changes without their signs. */
    amounts: { count: 0, before: decimal(0), after: decimal(0), absolute: decimal(0) },
  };
}

/** Adds the result of a record to the counts. */
function addResult(counts: ImportCounts, { outcome, amountChange }: ImportResult): void {
  counts[outcome] += 1;
  if (!amountChange) return;
  const { from, to } = amountChange;
  const { amounts } = counts;
  amounts.count += 1;
  amounts.before = amounts.before.plus(from);
  amounts.after = amounts.after.plus(to);
  amounts.absolute = amounts.absolute.plus(to.minus(from).abs());
}

/** The store of an import, which reads and writes invoices. */
export interface InvoiceStore extends InvoiceWriter {
  /** Reads the current invoices, in the order of the ids. */
  readonly read: (scope: SupplierScope, invoiceIds: readonly string[]) => Promise<StoredInvoice[]>;
}

/** The result of a record that was not rejected. */
export interface ImportResult {
  readonly outcome: 'created' | 'changed' | 'unchanged';
  /** The state of the record, if it was not imported. */
  readonly ignoredState: IgnoredState | null;
  /** The change of the system amount, if there is one. */
  readonly amountChange: { readonly from: Decimal; readonly to: Decimal } | null;
}

/** Imports records of one supplier. Several records of one invoice are imported in their order. */
export async function importSupplier<Row extends { readonly record: InvoiceRecord }>(
  store: InvoiceStore,
  scope: SupplierScope,
  rows: readonly Row[],
  context: MergeContext,
  report: (row: Row, result: ImportResult | Rejection) => void,
): Promise<void> {
  await writeRows<Row, ImportResult>(store, scope, rows, {
    getInvoiceId: ({ record }) => record.invoice_id,
    async plan(planned) {
      const invoiceIds = planned.map(({ record }) => record.invoice_id);
      const stored = await store.read(scope, invoiceIds);
      return planned.map(({ record }, index) => planRecord(stored[index] ?? NOT_STORED, record, context));
    },
    findError: ({ after }, cost) => findSizeError(store, scope, after, cost),
    report,
  });
}

const NOT_STORED: StoredInvoice = { invoice: null, declaredBySupplier: false };

function planRecord(stored: StoredInvoice, record: InvoiceRecord, context: MergeContext): RowPlan<ImportResult> {
  const change = mergeRecord(stored, record, context);
  if (change && 'error' in change) return { change: null, outcome: change };
  const ignoredState = findIgnoredState(stored, record);
  if (!change) return { change, outcome: { outcome: 'unchanged', ignoredState, amountChange: null } };
  const { before, after } = change;
  const [from, to] = [before?.systemAmount, after.systemAmount];
  const amountChange = from && !from.eq(to) ? { from, to } : null;
  return { change, outcome: { outcome: before ? 'changed' : 'created', ignoredState, amountChange } };
}

/** Returns the error of an invoice that is too large to be declared later, or null. */
function findSizeError(
  { declarableBytes, maxBytes }: InvoiceStore,
  scope: SupplierScope,
  invoice: Invoice,
  { bytes: written }: TransactionCost,
): string | null {
  // The written bytes include the two rows of the invoice, and a declaration takes far less than a quarter of the limit.
  if (written < maxBytes / 4) return null;
  const bytes = declarableBytes(scope, invoice);
  if (bytes <= maxBytes) return null;
  return `record: is ${bytes} bytes with the largest possible declaration; the maximum is ${maxBytes} bytes`;
}

type IgnoredState = NonNullable<ReturnType<typeof findIgnoredState>>;

/** Returns the state of a record that is ignored because the supplier declared the invoice; null if none is ignored. */
export function findIgnoredState({ invoice, declaredBySupplier }: StoredInvoice, record: InvoiceRecord) {
  const { supplier_id: supplierId, invoice_id: invoiceId, state_code: named } = record;
  if (!invoice || !declaredBySupplier || !named || named === invoice.state) return null;
  return { supplierId, invoiceId, named, kept: invoice.state };
}
