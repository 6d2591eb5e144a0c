import { hash } from 'node:crypto';
import type { Text } from '../../../lib/domain/language.ts';
import { type Decimal, decimal } from '../../../lib/domain/money.ts';
import { isAmount, isSignedAmount, toDecimal } from '../input/decimal-text.ts';
import { InputError, OperatorError } from '../operator-errors.ts';
import { stripZeros } from '../tables/zero-variants.ts';
import { translate } from '../texts/language.ts';
import { opsTexts, rejectionTexts } from '../texts/ops-texts.ts';
import { parseField, type SourceRecord } from './read-records.ts';
import { IGNORED_FIELDS, isId, isNumberField } from './record-schema.ts';

/** The part of a record that is needed to compare it with other records of the same invoice. */
interface SurveyedRecord {
  readonly id: string;
  readonly line: number;
  /** 48 bits of the SHA-256 of the other fields, in Base64. */
  readonly fingerprint: string;
}

/** The result of comparing all records of a file with each other, including invalid records, before their import. */
export interface Survey {
  records: number;
  /** The sum of the valid system amounts of all records, including repeated records. */
  total: Decimal;
  /** The lines of records that are not imported, because an earlier record of the invoice is equal. */
  readonly repeatedLines: Set<number>;
  /** The errors of records whose invoice has another record with different values, by line. */
  readonly errors: Map<number, string>;
}

/** The maximum number of lines that a message lists. */
const MAX_LINES = 10;

// Matches a number that its conversion would not change, such as 1050.5. Most do not change, and conversion is slow.
const NORMAL_DECIMAL = /^(0|[1-9]\d*)(\.\d{0,5}[1-9])?$/;

/**
 * Compares all records of a file. The ids `0080101` and `80101` of a supplier are two invoices with `allowZeros`, and a
 * contradiction without it. Throws an OperatorError if the file cannot be read to its end.
 */
export async function surveyRecords(source: AsyncIterable<SourceRecord>, allowZeros = false): Promise<Survey> {
  const survey: Survey = { records: 0, total: decimal(0), repeatedLines: new Set(), errors: new Map() };
  const firstRecords = new Map<string, SurveyedRecord>();
  // All records of each invoice that has several. The other invoices do not need the memory of an array.
  const repeatedRecords = new Map<string, SurveyedRecord[]>();
  try {
    for await (const { line, value, errors = [] } of source) {
      // A value that is not an object has none of these fields.
      const { supplier_id: supplierId, invoice_id: id, ...fields } = (value ?? {}) as Record<string, unknown>;
      survey.records += 1;
      survey.total = survey.total.plus(parseSystemAmount(fields['system_amount'], errors));
      if (!isId(supplierId) || !isId(id)) continue;
      const comparedId = allowZeros ? id : stripZeros(id);
      const invoiceKey = `${supplierId} ${comparedId}`;
      const fingerprint = hash('sha256', normalise(fields), 'base64').slice(0, 8);
      const record = { id, line, fingerprint };
      const firstRecord = firstRecords.get(invoiceKey);
      if (firstRecord) {
        const invoiceRecords = repeatedRecords.get(invoiceKey) ?? [firstRecord];
        invoiceRecords.push(record);
        repeatedRecords.set(invoiceKey, invoiceRecords);
      } else {
        firstRecords.set(invoiceKey, record);
      }
    }
  } catch (error) {
    if (error instanceof InputError) throw new OperatorError(translate(opsTexts.nothingImported(error.message)));
    throw error;
  }
  for (const records of repeatedRecords.values()) compareRecords(survey, records);
  return survey;
}

/** Returns the system amount of a record, or zero if it is invalid or could not be read. */
function parseSystemAmount(amount: unknown, errors: readonly string[]): Decimal {
  const isReadable = errors.every((error) => parseField(error) !== 'system_amount');
  const isValid = isReadable && typeof amount === 'string' && isAmount(amount);
  return isValid ? toDecimal(amount) : decimal(0);
}

/** Returns a string that is equal for records with equal values, whatever their number format and field order are. */
function normalise(fields: object): string {
  return JSON.stringify(fields, (name, value: unknown) => {
    if (typeof value === 'string' && isNumberField(name)) return normaliseNumber(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const comparedFields = Object.entries(value).filter(([field]) => !IGNORED_FIELDS.includes(field));
    return Object.fromEntries(comparedFields.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function normaliseNumber(text: string): string {
  const needsConversion = isSignedAmount(text) && !NORMAL_DECIMAL.test(text);
  return needsConversion ? toDecimal(text).toFixed() : text;
}

/** Compares the records of one invoice. If they differ, all get an error. Otherwise all but the first are repeated. */
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
  const fingerprints = new Set(records.map(({ fingerprint }) => fingerprint));
  return fingerprints.size > 1 ? rejectionTexts.contradiction(lines.join(', ')) : null;
}
