import type { InvoiceChange } from '../../../lib/domain/invoice-change.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import type { Tolerance } from '../../../lib/domain/tolerance.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { newEntityId, newUuid } from '../../../lib/runtime/ids.ts';
import { MAX_ITEM_BYTES } from '../../../lib/tables/dynamodb/values.ts';
import { computeMaxItemBytes } from '../../../lib/tables/invoice-items.ts';
import { readTolerances } from '../directory/read-directory.ts';
import { compileSchema } from '../input/compile-schema.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { changeInvoices, type ChangePorts, type CurrentInvoice, type RowPlan } from '../tables/change-invoices.ts';
import { translate } from '../texts/language.ts';
import { rejectionTexts } from '../texts/ops-texts.ts';
import { isStateIgnored, type MergeContext, mergeRecord } from './merge-record.ts';
import { joinErrors, type SourceRecord } from './read-records.ts';
import { type InvoiceRecord, recordSchema } from './record-schema.ts';
import type { Survey } from './survey-records.ts';

export interface ImportOptions extends Pick<MergeContext, 'forceAuthor' | 'isWorkbook'> {
  readonly tenant: string;
  /** The comparison of the records with each other; see surveyRecords. Without it, they are not compared. */
  readonly survey?: Pick<Survey, 'repeatedLines' | 'errors'>;
  /** True if a new id can differ from a stored id only in leading zeros, as `0080101` differs from `80101`. */
  readonly allowZeros?: boolean | undefined;
  /** Stops the import between two batches. */
  readonly stopSignal?: AbortSignal;
}

/** The result of a record. The record of a withdrawn invoice is not written, and has the outcome `withdrawn`. */
export interface RecordResult {
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'repeated' | 'withdrawn' | 'rejected';
  /** The id of the invoice; undefined for the outcomes `repeated` and `rejected`. */
  readonly invoiceId?: string;
  /** The written change of the outcomes `created` and `changed`. */
  readonly change?: InvoiceChange;
  /** True if the state of the record is not imported, because the supplier has declared the invoice. */
  readonly isStateIgnored?: boolean;
  /** The errors of the outcome `rejected`. */
  readonly errors?: readonly string[];
}

export type ImportedRecord = { readonly record: SourceRecord; readonly result: RecordResult };

interface PlanContext extends Pick<ImportOptions, 'forceAuthor' | 'isWorkbook' | 'allowZeros'> {
  readonly requestId: string;
  /** The tolerance of the supplier, or undefined if the supplier does not exist. */
  readonly tolerance: Tolerance | undefined;
}

type Ports = ChangePorts & Pick<AdminPorts, 'records'>;
type ValidRecord = SourceRecord & { readonly value: InvoiceRecord };

const findSchemaErrors = compileSchema(recordSchema);

// A batch ends at one of these limits, because its records are in memory. The progress is shown after each batch.
const BATCH_RECORDS = 1000;
const BATCH_CHARACTERS = 16_000_000;

/** Imports records, and yields their results in batches. Throws an OperatorError if the tenant does not exist. */
export async function* importInvoices(ports: Ports, records: AsyncIterable<SourceRecord>, options: ImportOptions) {
  const requestId = newUuid();
  for await (const batch of batchRecords(records)) {
    if (options.stopSignal?.aborted) return;
    yield await importBatch(ports, batch, options, requestId);
  }
}

/** Imports the valid records of a batch. Returns the results of all records in the order of their lines. */
async function importBatch(
  ports: Ports,
  batch: readonly SourceRecord[],
  { tenant, survey, forceAuthor, isWorkbook, allowZeros }: ImportOptions,
  requestId: string,
): Promise<ImportedRecord[]> {
  const imported: ImportedRecord[] = [];
  const validRecords: ValidRecord[] = [];
  for (const record of batch) {
    const result = checkRecord(record, survey);
    // The schema has validated the value of a record without a result.
    if (result) imported.push({ record, result });
    else validRecords.push(record as ValidRecord);
  }
  const supplierIds = new Set(validRecords.map(({ value }) => value.supplier_id));
  const tolerances = await readTolerances(ports, tenant, supplierIds);
  await changeInvoices<ValidRecord, RecordResult>(ports, validRecords, {
    tenant,
    getKey: ({ value }) => ({ supplierId: value.supplier_id, invoiceId: value.invoice_id }),
    plan({ value }, current) {
      const tolerance = tolerances.get(value.supplier_id);
      return planRecord(value, current, { forceAuthor, isWorkbook, allowZeros, requestId, tolerance });
    },
    report(record, planned) {
      const result: RecordResult = 'error' in planned ? { outcome: 'rejected', errors: [planned.error] } : planned;
      imported.push({ record, result });
    },
  });
  return imported.toSorted((a, b) => a.record.line - b.record.line);
}

/** Groups records into batches. */
export async function* batchRecords(records: AsyncIterable<SourceRecord>): AsyncGenerator<SourceRecord[]> {
  let batch: SourceRecord[] = [];
  let characters = 0;
  for await (const record of records) {
    batch.push(record);
    characters += record.source.length;
    if (batch.length < BATCH_RECORDS && characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Returns the result of a record that is repeated or has errors. Returns null for a record that can be imported. */
function checkRecord({ line, value, errors = [] }: SourceRecord, survey: ImportOptions['survey']): RecordResult | null {
  if (value === undefined) return { outcome: 'rejected', errors };
  if (survey?.repeatedLines.has(line)) return { outcome: 'repeated' };
  const allErrors = joinErrors(errors, findSchemaErrors(value, ''));
  const surveyError = survey?.errors.get(line);
  if (surveyError !== undefined) allErrors.push(surveyError);
  return allErrors.length > 0 ? { outcome: 'rejected', errors: allErrors } : null;
}

/** Plans the change that a valid record makes to its stored invoice, or rejects the record. */
export function planRecord(
  record: InvoiceRecord,
  { scope, invoice, zeroVariant }: CurrentInvoice,
  { tolerance, allowZeros, ...context }: PlanContext,
): RowPlan<RecordResult> {
  const reject = (error: string): RowPlan<never> => ({ change: null, outcome: { error } });
  if (!tolerance) {
    return reject(`supplier_id: ${translate(rejectionTexts.unknownSupplier(scope.supplierId, scope.tenant))}`);
  }
  if (zeroVariant !== undefined && !allowZeros) {
    return reject(`invoice_id: ${translate(rejectionTexts.storedVariant(zeroVariant))}`);
  }
  const invoiceId = record.invoice_id;
  if (invoice?.isWithdrawn) return { change: null, outcome: { outcome: 'withdrawn', invoiceId } };
  const now = systemClock.now();
  const mergeContext = { ...context, tolerance, now, newDeclarationId: () => newEntityId(now) };
  const change = mergeRecord(invoice, record, mergeContext);
  if (change && 'error' in change) return reject(change.error);
  const sizeError = change && findSizeError(scope, change.after);
  if (sizeError) return reject(sizeError);
  const common = { invoiceId, isStateIgnored: isStateIgnored(invoice, record) };
  if (!change) return { change: null, outcome: { outcome: 'unchanged', ...common } };
  return { change, outcome: { outcome: invoice ? 'changed' : 'created', change, ...common } };
}

/** Returns the error of an invoice that is too large to be declared later, or null. */
function findSizeError(scope: SupplierScope, invoice: Invoice): string | null {
  // The exact size takes long to compute. An invoice of less than a quarter of the limit fits in any case, because a
  // declaration adds less than three quarters of the limit.
  if (Buffer.byteLength(JSON.stringify(invoice)) < MAX_ITEM_BYTES / 4) return null;
  const bytes = computeMaxItemBytes(scope, invoice);
  if (bytes <= MAX_ITEM_BYTES) return null;
  return `record: ${translate(rejectionTexts.tooLarge(bytes, MAX_ITEM_BYTES))}`;
}
