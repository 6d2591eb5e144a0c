import { hash } from 'node:crypto';
import type { Text } from '../../../lib/domain/language.ts';
import { type Decimal, decimal } from '../../../lib/domain/money.ts';
import { isAmount, isSignedAmount, toDecimal } from '../input/decimal-text.ts';
import { InputError, parseField, type SourceRecord } from './read-records.ts';
import { IGNORED_FIELDS, isId, isNumberField } from './record-schema.ts';
import { stripZeros } from '../tables/zero-variants.ts';
import { translate } from '../texts/language.ts';
import { rejectionTexts } from '../texts/ops-texts.ts';

/** The part of a record that is needed to compare it with others. */
interface SurveyedRecord {
  readonly id: string;
  readonly line: number;
  /** 48 bits of the SHA-256 of the other fields. A number needs less memory than a text. */
  readonly contents: number;
}

/** The totals of a file, and the records that repeat or contradict others. */
export interface Survey {
  /** The number of all records, also of invalid ones. */
  records: number;
  /** The sum of the system amounts that are valid. */
  total: Decimal;
  /** The error that ended the reading before the end of the file, or null. */
  unreadable: InputError | null;
  /** The lines of records that are not imported, because an equal record is imported. */
  readonly repeatedLines: Set<number>;
  /** The errors of records that contradict other records, by line. */
  readonly errors: Map<number, string>;
}

/**
 * Reads all records of a file, and compares those of the same invoice. Ids that differ only in leading zeros are one
 * invoice, unless `allowZeros` is true.
 */
export async function surveyRecords(source: AsyncIterable<SourceRecord>, allowZeros = false): Promise<Survey> {
  const survey: Survey = {
    records: 0,
    total: decimal(0),
    unreadable: null,
    repeatedLines: new Set(),
    errors: new Map(),
  };
  const firstRecords = new Map<string, SurveyedRecord>();
  /** The groups of at least two records of an invoice, by the first of them. */
  const groups = new Map<SurveyedRecord, SurveyedRecord[]>();
  try {
    for await (const { line, value, errors = [] } of source) {
      // A value that is no object has none of these fields.
      const { supplier_id: supplierId, invoice_id: id, ...fields } = (value ?? {}) as Record<string, unknown>;
      const { system_amount: amount } = fields;
      const isReadable = errors.every((error) => parseField(error) !== 'system_amount');
      const isValid = isReadable && typeof amount === 'string' && isAmount(amount);
      survey.records += 1;
      if (isValid) survey.total = survey.total.plus(toDecimal(amount));
      if (!isId(supplierId) || !isId(id)) continue;
      const record = { id, line, contents: computeFingerprint(normalise(fields)) };
      const key = `${supplierId} ${allowZeros ? id : stripZeros(id)}`;
      const first = firstRecords.get(key);
      if (!first) {
        firstRecords.set(key, record);
        continue;
      }
      const group = groups.get(first) ?? [first];
      group.push(record);
      groups.set(first, group);
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    survey.unreadable = error;
  }
  for (const group of groups.values()) compareGroup(survey, group);
  return survey;
}

const FINGERPRINT_HEX_DIGITS = 12;

function computeFingerprint(text: string): number {
  return Number.parseInt(hash('sha256', text).slice(0, FINGERPRINT_HEX_DIGITS), 16);
}

/** Adds to a survey the errors or the repetitions in a group. */
function compareGroup(survey: Survey, group: readonly SurveyedRecord[]): void {
  const contradiction = findContradiction(group);
  if (contradiction) {
    for (const { line } of group) survey.errors.set(line, `invoice_id: ${translate(contradiction)}`);
    return;
  }
  for (const { line } of group.slice(1)) survey.repeatedLines.add(line);
}

/** Returns the error of the records of a group that are not equal, or null. */
function findContradiction(group: readonly SurveyedRecord[]): Text | null {
  const recordsOfId = Map.groupBy(group, ({ id }) => id);
  if (recordsOfId.size > 1) {
    const variants = Array.from(recordsOfId, ([id, records]) => `${id} (${describeLines(records)})`);
    return rejectionTexts.zeroVariants(variants.join(', '));
  }
  const isEqual = group.every(({ contents }) => contents === group[0]?.contents);
  return isEqual ? null : rejectionTexts.contradiction(describeLines(group));
}

// Most amounts already have this form, such as 1050.5. Their conversion would take most of the time of a survey.
const NORMAL_DECIMAL = /^(0|[1-9]\d*)(\.\d{0,5}[1-9])?$/;

/** Returns a text that is equal for records with equal values, regardless of number format and field order. */
function normalise(fields: object): string {
  return JSON.stringify(fields, (name, value: unknown) => {
    if (typeof value === 'string' && isNumberField(name)) {
      return !NORMAL_DECIMAL.test(value) && isSignedAmount(value) ? toDecimal(value).toFixed() : value;
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const entries = Object.entries(value).filter(([field]) => !IGNORED_FIELDS.includes(field));
    return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

// The maximum number of lines that a message lists for an id.
const MAX_LINES = 10;

/** Lists the lines of records: `line 7`, `lines 2, 4`. */
function describeLines(records: readonly SurveyedRecord[]): string {
  const lines = records.slice(0, MAX_LINES).map(({ line }) => line);
  const list = `${lines.join(', ')}${records.length > MAX_LINES ? ', …' : ''}`;
  return translate(rejectionTexts.lines(list, records.length));
}
