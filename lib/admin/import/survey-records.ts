import { isAmount, isSignedAmount, toDecimal } from '../../domain/decimal-text.ts';
import { type CompactId, stripZeros, toCompactId } from '../../domain/leading-zeros.ts';
import { decimal, type Decimal } from '../../domain/money.ts';
import { type Fingerprint, fingerprintOf } from '../../runtime/fingerprints.ts';
import { applyZone } from './batches.ts';
import { IGNORED_FIELDS, isId, isNumberField } from './record-schema.ts';
import { InputError, type SourceRecord } from './source-record.ts';

/** The result of the first reading of a file. */
export interface Survey {
  /** The number of records of the file. */
  readonly records: number;
  /** The sum of the system amounts that are valid. */
  readonly total: Decimal;
  /** The error that ended the reading before the end of the file, or null. */
  readonly unreadable: InputError | null;
  /** Compares the record at a position (from 0) with the other records of the file. */
  readonly checkRepetition: (position: number) => RepetitionVerdict;
}

/** The options of an import that a survey needs. */
export interface SurveyOptions {
  readonly zone?: string | undefined;
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
  const invoices = new RepeatedInvoices(options);
  let count = 0;
  let total = decimal(0);
  let unreadable: InputError | null = null;
  try {
    for await (const record of records) {
      const read = applyZone(record, options.zone);
      count += 1;
      total = total.plus(readAmount(read));
      invoices.add(read.line, identify(read));
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    unreadable = error;
  }
  return { records: count, total, unreadable, checkRepetition: (position) => invoices.check(position) };
}

function readAmount(record: SourceRecord): Decimal {
  const { system_amount: amount } = toFields(record);
  const hasError = 'value' in record && record.errors?.some((error) => error.startsWith('system_amount: '));
  return typeof amount === 'string' && isAmount(amount) && !hasError ? toDecimal(amount) : decimal(0);
}

function identify(record: SourceRecord) {
  const { supplier_id: supplierId, invoice_id: invoiceId, ...others } = toFields(record);
  if (!isId(supplierId) || !isId(invoiceId)) return null;
  return { supplierId, invoiceId, contents: fingerprintOf(normalise(others)) };
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
  /** The position of the record that is imported for the whole group. */
  imported: number;
}

// The maximum lines of an id that a message lists.
const NAMED_LINES = 10;

/**
 * Finds the records of a file that repeat or contradict others. A file may have millions of records, so it stores three
 * numbers for each record, and more only for repeated invoices.
 */
class RepeatedInvoices {
  readonly #options: SurveyOptions;
  /** The position of the first record, by supplier and id. */
  readonly #first = new Map<string, Map<CompactId, number>>();
  readonly #lines: number[] = [];
  readonly #contents: Fingerprint[] = [];
  readonly #idLengths: number[] = [];
  /** The group of each repeated record, by position. */
  readonly #groups = new Map<number, Group>();

  constructor(options: SurveyOptions) {
    this.#options = options;
  }

  /** Adds the next record; null: its ids are invalid. */
  add(line: number, record: ReturnType<typeof identify>): void {
    const position = this.#lines.push(line) - 1;
    this.#contents.push(record?.contents ?? 0);
    this.#idLengths.push(record?.invoiceId.length ?? 0);
    if (record) this.#compare(position, line, record);
  }

  /** Compares the record at a position with the other records. */
  check(position: number): RepetitionVerdict {
    const group = this.#groups.get(position);
    if (!group) return null;
    const { linesOfId, hasDifferentContents, imported } = group;
    if (linesOfId.size > 1) {
      const ownLength = this.#idLengths[position];
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
    return position === imported ? null : 'repeated';
  }

  #compare(
    position: number,
    line: number,
    { supplierId, invoiceId, contents }: NonNullable<ReturnType<typeof identify>>,
  ): void {
    const id = this.#options.allowsZeros ? invoiceId : stripZeros(invoiceId);
    const ofSupplier = this.#first.get(supplierId) ?? new Map<CompactId, number>();
    this.#first.set(supplierId, ofSupplier);
    const first = ofSupplier.get(toCompactId(id));
    if (first === undefined) {
      ofSupplier.set(toCompactId(id), position);
      return;
    }
    const group = this.#groups.get(first) ?? this.#createGroup(first, id);
    this.#groups.set(position, group);
    addLine(group, invoiceId, line);
    if (contents !== this.#contents[first]) group.hasDifferentContents = true;
    // Records before `fromLine` are not imported, so the group needs a record from `fromLine` on.
    const { fromLine = 1 } = this.#options;
    if ((this.#lines[group.imported] ?? 0) < fromLine && line >= fromLine) group.imported = position;
  }

  #createGroup(position: number, id: string): Group {
    const group = { linesOfId: new Map<string, number[]>(), hasDifferentContents: false, imported: position };
    addLine(group, id.padStart(this.#idLengths[position] ?? 0, '0'), this.#lines[position] ?? 0);
    this.#groups.set(position, group);
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
