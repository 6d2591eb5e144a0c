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

export interface ImportOptions extends Pick<MergeContext, 'force' | 'hasWallTimes'> {
  readonly tenant: string;
  /** The records that repeat or contradict other records. Without a survey, records are not compared. */
  readonly survey?: Pick<Survey, 'repeatedLines' | 'errors'>;
  /** True if new ids may differ from stored ids only in leading zeros. */
  readonly allowZeros?: boolean | undefined;
  /** Stops the import between two batches. */
  readonly stop?: AbortSignal;
}

/** The result of a record. The record of a withdrawn invoice is not written, and has the outcome `withdrawn`. */
export interface RecordResult {
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'repeated' | 'withdrawn' | 'rejected';
  /** The id of the invoice of a valid record. */
  readonly invoiceId?: string;
  readonly change?: InvoiceChange;
  readonly isStateIgnored?: boolean;
  readonly errors?: readonly string[];
}

export interface ImportedRecord {
  readonly record: SourceRecord;
  readonly result: RecordResult;
}

interface PlanContext extends Pick<ImportOptions, 'force' | 'hasWallTimes' | 'allowZeros'> {
  readonly requestId: string;
  /** The tolerance of the supplier, or undefined if the supplier does not exist. */
  readonly tolerance: Tolerance | undefined;
}

type Ports = ChangePorts & Pick<AdminPorts, 'records'>;

type ValidRecord = SourceRecord & { readonly value: InvoiceRecord };

const findSchemaErrors = compileSchema(recordSchema);

// The limits of a batch, whose records are in memory. The progress is shown after each batch.
const BATCH_RECORDS = 1000;
const BATCH_CHARACTERS = 16_000_000;

/** Imports records, and yields their results in batches. Throws an OperatorError if the tenant does not exist. */
export async function* importInvoices(
  ports: Ports,
  records: AsyncIterable<SourceRecord>,
  options: ImportOptions,
): AsyncGenerator<ImportedRecord[], void> {
  const requestId = newUuid();
  for await (const batch of batchRecords(records)) {
    if (options.stop?.aborted) return;
    yield await importBatch(ports, batch, options, requestId);
  }
}

/** Imports the valid records of a batch. Returns the results of all records in the order of their lines. */
async function importBatch(
  ports: Ports,
  batch: readonly SourceRecord[],
  { tenant, survey, force, hasWallTimes, allowZeros }: ImportOptions,
  requestId: string,
): Promise<ImportedRecord[]> {
  const imported: ImportedRecord[] = [];
  const validRecords: ValidRecord[] = [];
  for (const record of batch) {
    const result = checkRecord(record, survey);
    if (result) imported.push({ record, result });
    // The schema has validated the value.
    else validRecords.push(record as ValidRecord);
  }
  const supplierIds = new Set(validRecords.map(({ value }) => value.supplier_id));
  const tolerances = await readTolerances(ports, tenant, supplierIds);
  await changeInvoices<ValidRecord, RecordResult>(ports, validRecords, {
    tenant,
    getKey: ({ value }) => ({ supplierId: value.supplier_id, invoiceId: value.invoice_id }),
    plan({ value }, current) {
      const tolerance = tolerances.get(value.supplier_id);
      return planRecord(value, current, { force, hasWallTimes, allowZeros, requestId, tolerance });
    },
    report(record, outcome) {
      const result = 'error' in outcome ? rejectRecord([outcome.error]) : outcome;
      imported.push({ record, result });
    },
  });
  return imported.toSorted((a, b) => a.record.line - b.record.line);
}

function rejectRecord(errors: readonly string[]): RecordResult {
  return { outcome: 'rejected', errors };
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

/** Returns the result of a record that is not imported, because it is repeated or has errors, or null. */
function checkRecord({ line, value, errors = [] }: SourceRecord, survey: ImportOptions['survey']): RecordResult | null {
  if (value === undefined) return rejectRecord(errors);
  if (survey?.repeatedLines.has(line)) return { outcome: 'repeated' };
  const allErrors = joinErrors(errors, findSchemaErrors(value, ''));
  const surveyError = survey?.errors.get(line);
  if (surveyError !== undefined) allErrors.push(surveyError);
  return allErrors.length > 0 ? rejectRecord(allErrors) : null;
}

/** Plans the change that a valid record makes. */
export function planRecord(
  record: InvoiceRecord,
  { scope, invoice, zeroVariant }: CurrentInvoice,
  { tolerance, allowZeros, ...context }: PlanContext,
): RowPlan<RecordResult> {
  const reject = (error: string) => ({ change: null, outcome: { error } });
  if (!tolerance) {
    return reject(`supplier_id: ${translate(rejectionTexts.unknownSupplier(scope.supplierId, scope.tenant))}`);
  }
  if (zeroVariant !== undefined && !allowZeros) {
    return reject(`invoice_id: ${translate(rejectionTexts.storedVariant(zeroVariant))}`);
  }
  const invoiceId = record.invoice_id;
  if (invoice?.isWithdrawn) return { change: null, outcome: { outcome: 'withdrawn', invoiceId } };
  const now = systemClock.now();
  const change = mergeRecord(invoice, record, { ...context, tolerance, now, newDeclarationId: () => newEntityId(now) });
  if (change && 'error' in change) return { change: null, outcome: change };
  const sizeError = change && findSizeError(scope, change.after);
  if (sizeError) return reject(sizeError);
  const result = { invoiceId, isStateIgnored: isStateIgnored(invoice, record) };
  if (!change) return { change, outcome: { outcome: 'unchanged', ...result } };
  return { change, outcome: { outcome: invoice ? 'changed' : 'created', change, ...result } };
}

/** Returns the error of an invoice that is too large to be declared later, or null. */
function findSizeError(scope: SupplierScope, invoice: Invoice): string | null {
  // Computing the exact size takes long. It is not necessary for an invoice of less than a quarter of the limit, because
  // a declaration also adds far less than a quarter.
  if (Buffer.byteLength(JSON.stringify(invoice)) < MAX_ITEM_BYTES / 4) return null;
  const bytes = computeMaxItemBytes(scope, invoice);
  if (bytes <= MAX_ITEM_BYTES) return null;
  return `record: ${translate(rejectionTexts.tooLarge(bytes, MAX_ITEM_BYTES))}`;
}
