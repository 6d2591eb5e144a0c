import { type CompactId, stripZeros, toCompactId } from '../../domain/leading-zeros.ts';
import type { Fingerprint } from '../../runtime/fingerprints.ts';

/** What follows for a record from the other records of its file: null if nothing does. */
export type RepetitionVerdict = 'repeated' | { readonly fault: string } | null;

/** What a file may contain. */
export interface RepetitionRules {
  /** The first line that is imported: of equal records, the first one from this line on is imported. */
  readonly fromLine: number;
  /** Whether ids that differ only in leading zeros are different invoices. */
  readonly allowsZeros: boolean;
  /** Whether several records of an invoice are imported one after the other. */
  readonly allowsRepeated: boolean;
}

/** What is compared of a record. */
export interface IdentifiedRecord {
  readonly supplierId: string;
  readonly invoiceId: string;
  readonly contents: Fingerprint;
}

/** All records of a file that have the same id, or ids that differ only in leading zeros. */
interface Group {
  /** The lines of each id. */
  readonly linesOfId: Map<string, number[]>;
  hasDifferentContents: boolean;
  /** The position of the record that is imported for all of the group. */
  imported: number;
}

// So many lines of an id are named.
const NAMED_LINES = 10;

/**
 * Finds the records of a file that repeat or contradict others. It keeps three numbers for each record, and more only
 * for invoices that several records have: a file may have millions of records.
 */
export class RepeatedInvoices {
  readonly #rules: RepetitionRules;
  /** By supplier and id, the position of the first record. */
  readonly #first = new Map<string, Map<CompactId, number>>();
  readonly #lines: number[] = [];
  readonly #contents: Fingerprint[] = [];
  readonly #idLengths: number[] = [];
  /** By the position of each of its records. */
  readonly #groups = new Map<number, Group>();

  constructor(rules: RepetitionRules) {
    this.#rules = rules;
  }

  /** Adds the next record; null: it has no ids. */
  add(line: number, record: IdentifiedRecord | null): void {
    const position = this.#lines.push(line) - 1;
    this.#contents.push(record?.contents ?? 0);
    this.#idLengths.push(record?.invoiceId.length ?? 0);
    if (record) this.#compare(position, line, record);
  }

  /** Judges the record at a position. */
  judge(position: number): RepetitionVerdict {
    const group = this.#groups.get(position);
    if (!group) return null;
    const { linesOfId, hasDifferentContents, imported } = group;
    if (linesOfId.size > 1) {
      const ownLength = this.#idLengths[position];
      const others = [...linesOfId].filter(([id]) => id.length !== ownLength);
      const named = others.map(([id, lines]) => `${id} (${describeLines(lines)})`).join(' and ');
      return { fault: `invoice_id: differs only in leading zeros from ${named}; --allow-zeros accepts all of them` };
    }
    if (this.#rules.allowsRepeated) return null;
    if (hasDifferentContents) {
      const [lines = []] = linesOfId.values();
      return { fault: `invoice_id: the file contains this invoice with different values in ${describeLines(lines)}` };
    }
    return position === imported ? null : 'repeated';
  }

  #compare(position: number, line: number, { supplierId, invoiceId, contents }: IdentifiedRecord): void {
    const id = this.#rules.allowsZeros ? invoiceId : stripZeros(invoiceId);
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
    // What comes before `fromLine` is not imported now, so that it cannot stand for what comes later.
    if ((this.#lines[group.imported] ?? 0) < this.#rules.fromLine && line >= this.#rules.fromLine)
      group.imported = position;
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
