import { isAmount, isSignedAmount, toDecimal } from '../input/decimal-text.ts';
import { stripZeros } from './zero-variants.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { type Fingerprint, computeFingerprint } from '../../../lib/runtime/fingerprints.ts';
import { InputError, type SourceRecord } from './read-records.ts';
import { IGNORED_FIELDS, isId, isNumberField } from './record-schema.ts';

export interface SurveyOptions {
  /** The first line that is imported. Of equal records, the first record from this line on is imported. */
  readonly fromLine?: number;
  /** True if ids that differ only in leading zeros are different invoices. */
  readonly allowZeros?: boolean | undefined;
  readonly allowRepeated?: boolean | undefined;
}

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

/** The totals of a file, and the records that repeat or contradict others. */
export type Survey = Awaited<ReturnType<typeof surveyRecords>>;

// The maximum lines of an id that a message lists.
const NAMED_LINES = 10;

export async function surveyRecords(
  source: AsyncIterable<SourceRecord>,
  { fromLine = 1, allowZeros = false, allowRepeated = false }: SurveyOptions = {},
) {
  let records = 0;
  let total = decimal(0);
  let unreadable: InputError | null = null;
  // By supplier and id. A file may have millions of records, so a key is the id itself, which takes no more memory.
  const groups = new Map<string, Map<string, Group>>();
  const toKey = (id: string) => (allowZeros ? id : stripZeros(id));

  function add({ line, value, errors = [] }: SourceRecord): void {
    records += 1;
    const { supplier_id: supplierId, invoice_id: id, ...others } = toFields(value);
    const { system_amount: amount } = others;
    const isUnread = errors.some((error) => error.startsWith('system_amount: '));
    if (typeof amount === 'string' && isAmount(amount) && !isUnread) total = total.plus(toDecimal(amount));
    if (!isId(supplierId) || !isId(id)) return;
    const contents = computeFingerprint(normalise(others));
    const ofSupplier = groups.get(supplierId) ?? new Map<string, Group>();
    groups.set(supplierId, ofSupplier);
    const group = ofSupplier.get(toKey(id));
    if (!group) {
      const alone = { linesOfId: null, hasDifferentContents: false, importedLine: line };
      ofSupplier.set(toKey(id), { id, line, contents, ...alone });
      return;
    }
    group.linesOfId ??= new Map([[group.id, [group.line]]]);
    const lines = group.linesOfId.get(id) ?? [];
    group.linesOfId.set(id, lines);
    if (lines.length <= NAMED_LINES) lines.push(line);
    if (contents !== group.contents) group.hasDifferentContents = true;
    // Records before `fromLine` are not imported, so the group needs a record from `fromLine` on.
    if (group.importedLine < fromLine) group.importedLine = line;
  }

  try {
    for await (const record of source) add(record);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    unreadable = error;
  }

  return {
    /** The number of all records, also of invalid ones. */
    records,
    /** The sum of the system amounts that are valid. */
    total,
    /** The error that ended the reading before the end of the file, or null. */
    unreadable,
    /** Compares a record with the other records of the file; returns null if it does not repeat a record. */
    checkRepetition({ line, value }: SourceRecord): 'repeated' | { readonly error: string } | null {
      const { supplier_id: supplierId, invoice_id: id } = toFields(value);
      if (!isId(supplierId) || !isId(id)) return null;
      const { linesOfId, hasDifferentContents, importedLine } = groups.get(supplierId)?.get(toKey(id)) ?? {};
      if (!linesOfId) return null;
      if (linesOfId.size > 1) {
        const others = [...linesOfId].filter(([other]) => other !== id);
        const named = others.map(([other, lines]) => `${other} (${describeLines(lines)})`).join(' and ');
        return {
          error: `invoice_id: differs only in leading zeros from ${named}; to accept all ids, pass --allow-zeros`,
        };
      }
      if (allowRepeated) return null;
      if (hasDifferentContents) {
        const lines = describeLines(linesOfId.get(id) ?? []);
        return { error: `invoice_id: the file contains this invoice with different values in ${lines}` };
      }
      return line === importedLine ? null : 'repeated';
    },
  };
}

function toFields(value: unknown): Readonly<Partial<Record<string, unknown>>> {
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
