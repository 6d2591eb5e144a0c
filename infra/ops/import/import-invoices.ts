import { IMPORTER } from '../../../lib/domain/declaration.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { newEntityId, newUuid } from '../../../lib/runtime/ids.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import type { InvoiceChange } from '../../../lib/invoices/transactions.ts';
import { readTolerances } from '../directory/read-directory.ts';
import { compileSchema } from '../input/compile-schema.ts';
import { computeMaxItemBytes } from '../../../lib/tables/invoice-items.ts';
import { MAX_ITEM_BYTES } from '../../../lib/tables/dynamodb/values.ts';
import { readCurrentRevisions, type Rejection, type RowPlan, writeRows } from '../tables/write-rows.ts';
import { createZeroVariantFinder, type FindZeroVariants } from './zero-variants.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { type MergeContext, mergeRecord, type StoredInvoice } from './merge-record.ts';
import { type InvoiceRecord, recordSchema } from './record-schema.ts';
import type { SourceRecord } from './read-records.ts';
import type { Survey } from './survey-records.ts';

/** The options of an import. `reject` is called for every rejected record, and `progress` after each batch. */
export interface ImportOptions extends Pick<MergeContext, 'now' | 'force' | 'hasWallTimes'> {
  readonly tenant: string;
  readonly fromLine?: number;
  /** Detects repeated records; if absent, records are not compared with each other. */
  readonly survey?: Pick<Survey, 'checkRepetition'>;
  /** True if new ids may differ from stored ids only in leading zeros. */
  readonly allowZeros?: boolean | undefined;
  readonly reject: (record: SourceRecord, errors: readonly string[]) => Promise<void>;
  readonly progress?: () => void;
  /** The counts of this import, which are updated after each batch. */
  readonly counts?: ImportCounts;
  /** Stops the import between two batches. */
  readonly stop?: AbortSignal;
}

type ValidRecord = SourceRecord & { readonly value: InvoiceRecord };

interface ImportResult {
  readonly outcome: 'created' | 'changed' | 'unchanged';
  readonly ignoredState: IgnoredState | null;
  readonly change: InvoiceChange | null;
}

type RecordResult = ImportResult | 'repeated' | { readonly errors: readonly string[] };

const PARALLEL_SUPPLIERS = 8;
/** The maximum records of a batch: it limits the memory of an import, and is the interval of its progress reports. */
const BATCH_RECORDS = 1000;
const BATCH_CHARACTERS = 16_000_000;

const findErrors = compileSchema(recordSchema);

/** Imports the valid records of a surveyed file, batch by batch. Writes only the records that change an invoice. */
export async function importInvoices(
  ports: AdminPorts,
  records: AsyncIterable<SourceRecord>,
  options: ImportOptions,
): Promise<ImportCounts> {
  const { tenant, now, fromLine = 1, survey, allowZeros, force, hasWallTimes, reject, progress, stop } = options;
  const { counts = createCounts() } = options;
  const findZeroVariants = allowZeros ? async () => new Map<string, string>() : createZeroVariantFinder(ports);
  const readers = { ...ports, findZeroVariants };
  for await (const batch of batchRecords(records, fromLine)) {
    if (stop?.aborted) break;
    // Each batch has its own request id: millions of declarations with one id would fill one partition.
    const run = { now, force, hasWallTimes, requestId: newUuid(), newDeclarationId: () => newEntityId(now) };
    const results = new Map<SourceRecord, RecordResult>();
    const valid = batch.filter((record): record is ValidRecord => {
      const verdict = survey?.checkRepetition(record) ?? null;
      const errors = findRecordErrors(record);
      if (verdict === null && errors.length === 0) return true;
      const ofFile = verdict !== null && verdict !== 'repeated' ? [verdict.error] : [];
      results.set(record, verdict === 'repeated' ? verdict : { errors: [...errors, ...ofFile] });
      return false;
    });
    const report = (record: ValidRecord, result: ImportResult | Rejection) => {
      results.set(record, 'error' in result ? { errors: [result.error] } : result);
    };
    const suppliers = Map.groupBy(valid, ({ value }) => value.supplier_id);
    const tolerances = await readTolerances(ports, tenant, suppliers.keys());
    await forEachConcurrent([...suppliers], PARALLEL_SUPPLIERS, async ([supplierId, own]) => {
      const tolerance = tolerances.get(supplierId);
      const error = `supplier_id: supplier ${supplierId} of ${tenant} does not exist`;
      if (tolerance) await importSupplier(readers, { tenant, supplierId }, own, { tolerance, ...run }, report);
      else for (const record of own) report(record, { error });
    });
    for (const record of batch) {
      const result = results.get(record);
      if (result) addResult(counts, result);
      if (result && result !== 'repeated' && 'errors' in result) await reject(record, result.errors);
    }
    counts.lastLine = batch.at(-1)?.line ?? counts.lastLine;
    progress?.();
  }
  return counts;
}

/**
 * Groups the records from a line on into batches that are limited in their number and size. Before an error of the
 * records, it yields the records that were read.
 */
export async function* batchRecords(
  records: AsyncIterable<SourceRecord>,
  fromLine: number,
): AsyncGenerator<SourceRecord[]> {
  let batch: SourceRecord[] = [];
  let characters = 0;
  try {
    for await (const record of records) {
      if (record.line < fromLine) continue;
      batch.push(record);
      characters += record.source.length;
      if (batch.length < BATCH_RECORDS && characters < BATCH_CHARACTERS) continue;
      yield batch;
      [batch, characters] = [[], 0];
    }
  } catch (error) {
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}

/** Finds the errors of a record. A field that could not be read is not validated. */
function findRecordErrors({ value, errors = [] }: SourceRecord): readonly string[] {
  if (value === undefined) return errors;
  const parseField = (error: string) => error.split(': ', 1)[0];
  const unread = new Set(errors.map(parseField));
  return [...errors, ...findErrors(value, '').filter((error) => !unread.has(parseField(error)))];
}

/** The counts of records by outcome, and the other data of the summary of an import. */
export type ImportCounts = ReturnType<typeof createCounts>;

const MAX_NAMED_STATES = 20;

export function createCounts(lastLine = 0) {
  return {
    /** The line up to which all records are processed. */
    lastLine,
    ...{ created: 0, changed: 0, unchanged: 0, rejected: 0 },
    /** The number of records that were skipped because they repeat another record. */
    repeated: 0,
    /** The states that were not imported, and the first of them. */
    ignoredStates: { count: 0, first: [] as IgnoredState[] },
    /** The system amounts that were changed; `absolute` is the sum of the changes without their signs. */
    amounts: { count: 0, before: decimal(0), after: decimal(0), absolute: decimal(0) },
  };
}

function addResult(counts: ImportCounts, result: RecordResult): void {
  if (result === 'repeated') counts.repeated += 1;
  else if ('errors' in result) counts.rejected += 1;
  else {
    const { outcome, ignoredState, change } = result;
    const { amounts, ignoredStates } = counts;
    counts[outcome] += 1;
    if (ignoredState) {
      ignoredStates.count += 1;
      if (ignoredStates.count <= MAX_NAMED_STATES) ignoredStates.first.push(ignoredState);
    }
    const [from, to] = [change?.before?.systemAmount, change?.after.systemAmount];
    if (!from || !to || from.eq(to)) return;
    amounts.count += 1;
    amounts.before = amounts.before.plus(from);
    amounts.after = amounts.after.plus(to);
    amounts.absolute = amounts.absolute.plus(to.minus(from).abs());
  }
}

export type ImportPorts = Pick<AdminPorts, 'commit'> & {
  readonly invoices: Pick<AdminPorts['invoices'], 'getMany'>;
  readonly declarations: Pick<AdminPorts['declarations'], 'readRevisions'>;
  readonly findZeroVariants: FindZeroVariants;
};

/** Imports records of one supplier. Several records of one invoice are imported in their order. */
export async function importSupplier<Valid extends { readonly value: InvoiceRecord }>(
  { commit, invoices, declarations, findZeroVariants }: ImportPorts,
  scope: SupplierScope,
  records: readonly Valid[],
  context: MergeContext,
  report: (record: Valid, result: ImportResult | Rejection) => void,
): Promise<void> {
  await writeRows<Valid, ImportResult>(commit, scope, records, {
    getInvoiceId: ({ value }) => value.invoice_id,
    async plan(planned) {
      const ids = planned.map(({ value }) => value.invoice_id);
      const found = await invoices.getMany(scope, ids);
      const revisions = await readCurrentRevisions(declarations, scope, [...found.values()]);
      const newIds = ids.filter((id) => !found.has(id));
      const variants = await findZeroVariants(scope, newIds);
      return planned.map(({ value }): RowPlan<ImportResult> => {
        const id = value.invoice_id;
        const invoice = found.get(id) ?? null;
        const declaredBySupplier = Boolean(invoice?.declaration) && revisions.get(id)?.declaredBy !== IMPORTER;
        const before = { invoice, declaredBySupplier, zeroVariant: variants.get(id) };
        const change = mergeRecord(before, value, context);
        if (change && 'error' in change) return { change: null, outcome: change };
        const error = change && findSizeError(scope, change.after);
        if (error) return { change: null, outcome: { error } };
        const outcome = invoice ? 'changed' : 'created';
        const ignoredState = findIgnoredState(before, value);
        return { change, outcome: { outcome: change ? outcome : 'unchanged', ignoredState, change } };
      });
    },
    report,
  });
}

/** Returns the error of an invoice that is too large to be declared later, or null. */
function findSizeError(scope: SupplierScope, invoice: Invoice): string | null {
  // The exact size takes long to compute. A declaration takes far less than a quarter of the limit.
  if (Buffer.byteLength(JSON.stringify(invoice)) < MAX_ITEM_BYTES / 4) return null;
  const bytes = computeMaxItemBytes(scope, invoice);
  if (bytes <= MAX_ITEM_BYTES) return null;
  return `record: is ${bytes} bytes with the largest possible declaration; the maximum is ${MAX_ITEM_BYTES} bytes`;
}

type IgnoredState = NonNullable<ReturnType<typeof findIgnoredState>>;

/** Returns the state of a record that is ignored because the supplier declared the invoice; null if none is ignored. */
export function findIgnoredState({ invoice, declaredBySupplier }: StoredInvoice, record: InvoiceRecord) {
  const { supplier_id, invoice_id, state_code } = record;
  if (!invoice || !declaredBySupplier || !state_code || state_code === invoice.state) return null;
  return { supplier_id, invoice_id, state_code, stays: invoice.state };
}
