import { isAmount, isSignedAmount, toDecimal } from '../decimal-text.ts';
import { type CompactId, stripZeros, toCompactId } from './zero-variants.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { type Fingerprint, fingerprintOf } from '../../../lib/runtime/fingerprints.ts';
import { IGNORED_FIELDS, isId, isNumberField } from './record-schema.ts';
import { InputError, type SourceRecord } from './source-record.ts';

export interface SurveyOptions {
  /** The first line that is imported. Of equal records, the first record from this line on is imported. */
  readonly fromLine?: number;
  /** True if ids that differ only in leading zeros are different invoices. */
  readonly allowsZeros?: boolean;
  /** True if several records of one invoice are imported in their order. */
  readonly allowsRepeated?: boolean;
}

/** The result of comparing a record with the other records of its file; null: it does not repeat a record. */
type RepetitionVerdict = 'repeated' | { readonly error: string } | null;

/** The records of a file that have the same id, or whose ids differ only in leading zeros. */
interface Group {
  readonly id: string;
  readonly line: number;
  readonly contents: Fingerprint;
  /** The lines of each id; null: the file contains one record. */
  linesOfId: Map<string, number[]> | null;
  hasDifferentContents: boolean;
  /** The line of the record that is imported for the whole group. */
  importedLine: number;
}

// The maximum lines of an id that a message lists.
const NAMED_LINES = 10;

/** Reads all records of a file, and finds the records that repeat or contradict others. */
export async function surveyRecords(records: AsyncIterable<SourceRecord>, options: SurveyOptions = {}) {
  const survey = new Survey(options);
  try {
    for await (const record of records) survey.add(record);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    survey.unreadable = error;
  }
  return survey;
}

/** The result of the first reading of a file: its totals, and the records that repeat or contradict others. */
export class Survey {
  records = 0;
  /** The sum of the system amounts that are valid. */
  total = decimal(0);
  /** The error that ended the reading before the end of the file, or null. */
  unreadable: InputError | null = null;
  readonly #options: SurveyOptions;
  /** The groups by supplier and id. A file may have millions of records, so a key takes as little memory as possible. */
  readonly #groups = new Map<string, Map<CompactId, Group>>();

  constructor(options: SurveyOptions) {
    this.#options = options;
  }

  /** Adds the next record. A record with invalid ids is only counted. */
  add(record: SourceRecord): void {
    this.records += 1;
    const { line, errors = [] } = record;
    const { supplier_id: supplierId, invoice_id: id, ...others } = toFields(record);
    const { system_amount: amount } = others;
    const isUnread = errors.some((error) => error.startsWith('system_amount: '));
    if (typeof amount === 'string' && isAmount(amount) && !isUnread) this.total = this.total.plus(toDecimal(amount));
    if (!isId(supplierId) || !isId(id)) return;

    const contents = fingerprintOf(normalise(others));
    const groups = this.#groups.get(supplierId) ?? new Map<CompactId, Group>();
    this.#groups.set(supplierId, groups);
    const group = groups.get(this.#toKey(id));
    if (!group) {
      const alone = { linesOfId: null, hasDifferentContents: false, importedLine: line };
      groups.set(this.#toKey(id), { id, line, contents, ...alone });
      return;
    }
    group.linesOfId ??= new Map([[group.id, [group.line]]]);
    const lines = group.linesOfId.get(id) ?? [];
    group.linesOfId.set(id, lines);
    if (lines.length <= NAMED_LINES) lines.push(line);
    if (contents !== group.contents) group.hasDifferentContents = true;
    // Records before `fromLine` are not imported, so the group needs a record from `fromLine` on.
    const { fromLine = 1 } = this.#options;
    if (group.importedLine < fromLine) group.importedLine = line;
  }

  /** Compares a record with the other records of the file. */
  checkRepetition(record: SourceRecord): RepetitionVerdict {
    const { supplier_id: supplierId, invoice_id: id } = toFields(record);
    if (!isId(supplierId) || !isId(id)) return null;
    const { linesOfId, hasDifferentContents, importedLine } = this.#groups.get(supplierId)?.get(this.#toKey(id)) ?? {};
    if (!linesOfId) return null;
    if (linesOfId.size > 1) {
      const others = [...linesOfId].filter(([other]) => other !== id);
      const named = others.map(([other, lines]) => `${other} (${describeLines(lines)})`).join(' and ');
      return {
        error: `invoice_id: differs only in leading zeros from ${named}; to accept all ids, pass --allow-zeros`,
      };
    }
    if (this.#options.allowsRepeated) return null;
    if (hasDifferentContents) {
      const lines = describeLines(linesOfId.get(id) ?? []);
      return { error: `invoice_id: the file contains this invoice with different values in ${lines}` };
    }
    return record.line === importedLine ? null : 'repeated';
  }

  #toKey(id: string): CompactId {
    return toCompactId(this.#options.allowsZeros ? id : stripZeros(id));
  }
}

function toFields({ value }: SourceRecord): Readonly<Partial<Record<string, unknown>>> {
  return typeof value === 'object' ? { ...value } : {};
}

// Most amounts already have this form. Their conversion would take most of the time of a survey.
const NORMAL_DECIMAL = /^(0|[1-9]\d*)(\.\d{0,5}[1-9])?$/;

/** Returns a text that is equal for records with equal values, regardless of number format and field order. */
function normalise(value: object): string {
  return JSON.stringify(value, (name, part: unknown) => {
    if (typeof part === 'string' && isNumberField(name)) {
      return !NORMAL_DECIMAL.test(part) && isSignedAmount(part) ? toDecimal(part).toFixed() : part;
    }
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    const fields = Object.entries(part).filter(([field]) => !IGNORED_FIELDS.includes(field));
    return Object.fromEntries(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function describeLines(lines: readonly number[]): string {
  const named = lines.slice(0, NAMED_LINES).join(', ');
  return `${lines.length === 1 ? 'line' : 'lines'} ${named}${lines.length > NAMED_LINES ? ', …' : ''}`;
}
