import { isAmount, isSignedAmount, toDecimal } from '../../domain/decimal-text.ts';
import { decimal, type Decimal } from '../../domain/money.ts';
import { fingerprintOf } from '../../runtime/fingerprints.ts';
import { inZone } from './batches.ts';
import { decimalProperties, IGNORED_FIELDS, isId } from './record-schema.ts';
import {
  type IdentifiedRecord,
  RepeatedInvoices,
  type RepetitionRules,
  type RepetitionVerdict,
} from './repeated-invoices.ts';
import { InputError, type SourceRecord } from './source-record.ts';

/** What is known of a file after its records were read for the first time. */
export interface Survey {
  /** How many records the file has. */
  readonly records: number;
  /** The sum of their system amounts, as far as these can be read. */
  readonly total: Decimal;
  /** Why the file could not be read to its end. */
  readonly unreadable: InputError | null;
  /** Judges the record at a position (the first is 0) by the other records of the file. */
  readonly judge: (position: number) => RepetitionVerdict;
}

/** The options of a survey: those of the import. */
export interface SurveyOptions extends Partial<RepetitionRules> {
  readonly zone?: string | undefined;
}

/** Reads all records of a file, and finds the ones that repeat or contradict others. */
export async function surveyRecords(
  records: AsyncIterable<SourceRecord>,
  { zone, fromLine = 1, allowsZeros = false, allowsRepeated = false }: SurveyOptions = {},
): Promise<Survey> {
  const invoices = new RepeatedInvoices({ fromLine, allowsZeros, allowsRepeated });
  let count = 0;
  let total = decimal(0);
  let unreadable: InputError | null = null;
  try {
    for await (const record of records) {
      const read = zone === undefined ? record : inZone(record, zone);
      count += 1;
      total = total.plus(readAmount(read));
      invoices.add(read.line, identify(read));
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    unreadable = error;
  }
  return { records: count, total, unreadable, judge: (position) => invoices.judge(position) };
}

function readAmount(record: SourceRecord): Decimal {
  const { system_amount: amount } = fieldsOf(record);
  const isFaulty = 'value' in record && record.faults?.some((fault) => fault.startsWith('system_amount: '));
  return typeof amount === 'string' && isAmount(amount) && !isFaulty ? toDecimal(amount) : decimal(0);
}

function identify(record: SourceRecord): IdentifiedRecord | null {
  const { supplier_id: supplierId, invoice_id: invoiceId, ...others } = fieldsOf(record);
  if (!isId(supplierId) || !isId(invoiceId)) return null;
  return { supplierId, invoiceId, contents: fingerprintOf(normalise(others)) };
}

function fieldsOf(record: SourceRecord): Readonly<Partial<Record<string, unknown>>> {
  return 'value' in record && typeof record.value === 'object' && record.value !== null ? { ...record.value } : {};
}

// Most amounts are written like this, and need not be converted to numbers.
const NORMAL_DECIMAL = /^(0|[1-9]\d*)(\.\d{0,5}[1-9])?$/;

/** Returns a text that is the same for records with the same contents, however the file writes them. */
function normalise(value: object): string {
  return JSON.stringify(value, (name, part: unknown) => {
    if (typeof part === 'string' && decimalProperties.has(name)) {
      return !NORMAL_DECIMAL.test(part) && isSignedAmount(part) ? toDecimal(part).toFixed() : part;
    }
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    const fields = Object.entries(part).filter(([field]) => !IGNORED_FIELDS.includes(field));
    return Object.fromEntries(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
