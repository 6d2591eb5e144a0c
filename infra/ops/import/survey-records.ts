import { hash } from 'node:crypto';
import type { Text } from '../../../lib/domain/language.ts';
import { type Decimal, decimal } from '../../../lib/domain/money.ts';
import { isAmount, isSignedAmount, toDecimal } from '../input/decimal-text.ts';
import { OperatorError } from '../operator-errors.ts';
import { stripZeros } from '../tables/zero-variants.ts';
import { translate } from '../texts/language.ts';
import { opsTexts, rejectionTexts } from '../texts/ops-texts.ts';
import { InputError, parseField, type SourceRecord } from './read-records.ts';
import { IGNORED_FIELDS, isId, isNumberField } from './record-schema.ts';

/** The part of a record that is needed to compare it with other records. */
interface SurveyedRecord {
  readonly id: string;
  readonly line: number;
  /** 48 bits of the SHA-256 of the other fields, as a number, which needs less memory than a string. */
  readonly fingerprint: number;
}

/** The totals of a file, and the records that repeat or contradict others. */
export interface Survey {
  /** The number of all records, including invalid records. */
  records: number;
  /** The sum of the system amounts that are valid. */
  total: Decimal;
  /** The lines of records that are not imported, because an equal record is imported. */
  readonly repeatedLines: Set<number>;
  /** The errors of records that contradict other records, by line. */
  readonly errors: Map<number, string>;
}

const FINGERPRINT_HEX_DIGITS = 12;

/** The maximum number of lines that a message lists. */
const MAX_LINES = 10;

// Most amounts already have this form, such as 1050.5. Their conversion would take most of the time of a survey.
const NORMAL_DECIMAL = /^(0|[1-9]\d*)(\.\d{0,5}[1-9])?$/;

/**
 * Compares all records of a file. Without `allowZeros`, ids that differ only in leading zeros are one invoice. Throws an
 * OperatorError if the file cannot be read to its end.
 */
export async function surveyRecords(source: AsyncIterable<SourceRecord>, allowZeros = false): Promise<Survey> {
  const survey: Survey = {
    records: 0,
    total: decimal(0),
    repeatedLines: new Set(),
    errors: new Map(),
  };
  const firstRecords = new Map<string, SurveyedRecord>();
  // Only an invoice with several records needs the memory of an array.
  const repeatedRecords = new Map<string, SurveyedRecord[]>();
  try {
    for await (const { line, value, errors = [] } of source) {
      // A value that is not an object has none of these fields.
      const { supplier_id: supplierId, invoice_id: id, ...fields } = (value ?? {}) as Record<string, unknown>;
      survey.records += 1;
      survey.total = survey.total.plus(parseSystemAmount(fields['system_amount'], errors));
      if (!isId(supplierId) || !isId(id)) continue;
      const invoiceKey = `${supplierId} ${allowZeros ? id : stripZeros(id)}`;
      const record = { id, line, fingerprint: computeFingerprint(normalise(fields)) };
      const first = firstRecords.get(invoiceKey);
      if (!first) {
        firstRecords.set(invoiceKey, record);
        continue;
      }
      const invoiceRecords = repeatedRecords.get(invoiceKey) ?? [first];
      invoiceRecords.push(record);
      repeatedRecords.set(invoiceKey, invoiceRecords);
    }
  } catch (error) {
    if (error instanceof InputError) throw new OperatorError(translate(opsTexts.nothingImported(error.message)));
    throw error;
  }
  for (const invoiceRecords of repeatedRecords.values()) compareRecords(survey, invoiceRecords);
  return survey;
}

/** Returns the system amount of a record, or zero if it is invalid or could not be read. */
function parseSystemAmount(amount: unknown, errors: readonly string[]): Decimal {
  const isReadable = errors.every((error) => parseField(error) !== 'system_amount');
  const isValid = isReadable && typeof amount === 'string' && isAmount(amount);
  return isValid ? toDecimal(amount) : decimal(0);
}

/** Returns a string that is equal for records with equal values, regardless of number format and field order. */
function normalise(fields: object): string {
  return JSON.stringify(fields, (name, value: unknown) => {
    if (typeof value === 'string' && isNumberField(name)) return normaliseNumber(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const comparedFields = Object.entries(value).filter(([field]) => !IGNORED_FIELDS.includes(field));
    return Object.fromEntries(comparedFields.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function normaliseNumber(text: string): string {
  if (NORMAL_DECIMAL.test(text) || !isSignedAmount(text)) return text;
  return toDecimal(text).toFixed();
}

function computeFingerprint(text: string): number {
  return Number.parseInt(hash('sha256', text).slice(0, FINGERPRINT_HEX_DIGITS), 16);
}

/** Adds the errors of records of one invoice that differ, or the lines of repeated records. */
function compareRecords(survey: Survey, records: readonly SurveyedRecord[]): void {
  const contradiction = findContradiction(records);
  if (contradiction) {
    for (const { line } of records) survey.errors.set(line, `invoice_id: ${translate(contradiction)}`);
    return;
  }
  for (const { line } of records.slice(1)) survey.repeatedLines.add(line);
}

function findContradiction(records: readonly SurveyedRecord[]): Text | null {
  const lines = records.slice(0, MAX_LINES).map(({ line }) => String(line));
  if (records.length > MAX_LINES) lines.push('…');
  const ids = new Set(records.map(({ id }) => id));
  if (ids.size > 1) return rejectionTexts.zeroVariants([...ids].join(', '), lines.join(', '));
  const isEqual = records.every(({ fingerprint }) => fingerprint === records[0]?.fingerprint);
  return isEqual ? null : rejectionTexts.contradiction(lines.join(', '));
}
