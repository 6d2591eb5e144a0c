/** A reason for which records are rejected, and how many. */
export interface FrequentReason {
  readonly reason: string;
  readonly records: number;
}

// Reasons with names that a file makes up could be without number and of any length.
const MAX_REASONS = 1000;
const MAX_CHARACTERS = 200;

const NUMBER = /0x[\da-f]+|\d+/gi;
const DIFFERENT = '…';

/** Counts the records that are rejected for a reason; reasons that differ in their numbers only are one. */
export class FrequentReasons {
  readonly #counted = new Map<string, { texts: string[]; numbers: string[]; records: number }>();

  /** Adds the reasons of one record. */
  add(reasons: readonly string[]): void {
    const ofRecord = new Set<string>();
    for (const reason of reasons) {
      const text = reason.slice(0, MAX_CHARACTERS);
      const [texts, numbers] = [text.split(NUMBER), text.match(NUMBER) ?? []];
      const key = texts.join('0');
      const known = this.#counted.get(key);
      if (!known && this.#counted.size < MAX_REASONS) this.#counted.set(key, { texts, numbers, records: 1 });
      if (known) {
        known.numbers = known.numbers.map((number, at) => (number === numbers[at] ? number : DIFFERENT));
        if (!ofRecord.has(key)) known.records += 1;
      }
      ofRecord.add(key);
    }
  }

  /** The most frequent ones, with `…` for numbers that differ. */
  top(count: number): FrequentReason[] {
    return [...this.#counted.values()]
      .toSorted((a, b) => b.records - a.records)
      .slice(0, count)
      .map(({ texts, numbers, records }) => ({
        reason: texts.map((text, at) => text + (numbers[at] ?? '')).join(''),
        records,
      }));
  }
}
