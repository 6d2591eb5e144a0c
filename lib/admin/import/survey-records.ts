import { isAmount, isSignedAmount, toDecimal } from '../../domain/decimal-text.ts';
import { type CompactId, stripZeros, toCompactId } from '../../domain/leading-zeros.ts';
import { decimal, type Decimal } from '../../domain/money.ts';
import { type Fingerprint, fingerprintOf } from '../../runtime/fingerprints.ts';
import { IGNORED_FIELDS, isId, isNumberField } from './record-schema.ts';
import { InputError, type SourceRecord } from './source-record.ts';

/** The options of an import that a survey needs. */
export interface SurveyOptions {
  /** The first line that is imported. Of equal records, the first record from this line on is imported. */
  readonly fromLine?: number;
  /** True if ids that differ only in leading zeros are different invoices. */
  readonly allowsZeros?: boolean;
  /** True if several records of one invoice are imported in their order. */
  readonly allowsRepeated?: boolean;
}

/** Reads all records of a file, and finds the records that repeat or contradict others. */
export async function surveyRecords(
  records: AsyncIterable<SourceRecord>,
  options: SurveyOptions = {},
): Promise<Survey> {
  const survey = new Survey(options);
  try {
    for await (const record of records) survey.add(record);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    survey.unreadable = error;
  }
  return survey;
}

function readAmount(record: SourceRecord): Decimal {
  const { system_amount: amount } = toFields(record);
  const hasError = 'value' in record && record.errors?.some((error) => error.startsWith('system_amount: '));
  return typeof amount === 'string' && isAmount(amount) && !hasError ? toDecimal(amount) : decimal(0);
}

function toFields(record: SourceRecord): Readonly<Partial<Record<string, unknown>>> {
  return 'value' in record && typeof record.value === 'object' && record.value !== null ? { ...record.value } : {};
}

// Most amounts already have this form and do not need a conversion to Decimal.
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

/** The result of comparing a record with the other records of its file; null: it does not repeat a record. */
type RepetitionVerdict = 'repeated' | { readonly error: string } | null;

/** All records of a file that have the same id, or whose ids differ only in leading zeros. */
interface Group {
  /** The lines of each id. */
  readonly linesOfId: Map<string, number[]>;
  hasDifferentContents: boolean;
  /** The line of the record that is imported for the whole group. */
  imported: number;
}

// The maximum lines of an id that a message lists.
const NAMED_LINES = 10;

/**
 * The result of the first reading of a file: its totals, and the records that repeat or contradict others. A file may
 * have millions of records, so it stores three numbers for each record, and more only for repeated invoices.
 */
export class Survey {
  /** The number of records of the file. */
  records = 0;
  /** The sum of the system amounts that are valid. */
  total = decimal(0);
  /** The error that ended the reading before the end of the file, or null. */
  unreadable: InputError | null = null;
  readonly #options: SurveyOptions;
  /** The line of the first record, by supplier and id. */
  readonly #first = new Map<string, Map<CompactId, number>>();
  /** The fingerprint of each record, by line. */
  readonly #contents: Fingerprint[] = [];
  /** The length of the id of each record, by line. */
  readonly #idLengths: number[] = [];
  /** The group of each repeated record, by line. */
  readonly #groups = new Map<number, Group>();

  constructor(options: SurveyOptions) {
    this.#options = options;
  }

  /** Adds the next record. A record with invalid ids is only counted. */
  add(record: SourceRecord): void {
    this.records += 1;
    this.total = this.total.plus(readAmount(record));
    const { line } = record;
    const { supplier_id: supplierId, invoice_id: invoiceId, ...others } = toFields(record);
    if (!isId(supplierId) || !isId(invoiceId)) return;
    this.#contents[line] = fingerprintOf(normalise(others));
    this.#idLengths[line] = invoiceId.length;
    const id = this.#options.allowsZeros ? invoiceId : stripZeros(invoiceId);
    const ofSupplier = this.#first.get(supplierId) ?? new Map<CompactId, number>();
    this.#first.set(supplierId, ofSupplier);
    const first = ofSupplier.get(toCompactId(id));
    if (first === undefined) {
      ofSupplier.set(toCompactId(id), line);
      return;
    }
    const group = this.#groups.get(first) ?? this.#createGroup(first, id);
    this.#groups.set(line, group);
    addLine(group, invoiceId, line);
    if (this.#contents[line] !== this.#contents[first]) group.hasDifferentContents = true;
    // Records before `fromLine` are not imported, so the group needs a record from `fromLine` on.
    const { fromLine = 1 } = this.#options;
    if (group.imported < fromLine) group.imported = line;
  }

  /** Compares the record on a line with the other records of the file. */
  checkRepetition(line: number): RepetitionVerdict {
    const group = this.#groups.get(line);
    if (!group) return null;
    const { linesOfId, hasDifferentContents, imported } = group;
    if (linesOfId.size > 1) {
      const ownLength = this.#idLengths[line];
      const others = [...linesOfId].filter(([id]) => id.length !== ownLength);
      const named = others.map(([id, lines]) => `${id} (${describeLines(lines)})`).join(' and ');
      return {
        error: `invoice_id: differs only in leading zeros from ${named}; to accept all ids, pass --allow-zeros`,
      };
    }
    if (this.#options.allowsRepeated) return null;
    if (hasDifferentContents) {
      const [lines = []] = linesOfId.values();
      return { error: `invoice_id: the file contains this invoice with different values in ${describeLines(lines)}` };
    }
    return line === imported ? null : 'repeated';
  }

  #createGroup(line: number, id: string): Group {
    const group = { linesOfId: new Map<string, number[]>(), hasDifferentContents: false, imported: line };
    addLine(group, id.padStart(this.#idLengths[line] ?? 0, '0'), line);
    this.#groups.set(line, group);
    return group;
  }
}

function addLine({ linesOfId }: Group, id: string, line: number): void {
  const lines = linesOfId.get(id) ?? [];
  linesOfId.set(id, lines);
  if (lines.length <= NAMED_LINES) lines.push(line);
}

function describeLines(lines: readonly number[]): string {
  const named = lines.slice(0, NAMED_LINES).join(', ');
  return `${lines.length === 1 ? 'line' : 'lines'} ${named}${lines.length > NAMED_LINES ? ', …' : ''}`;
}
