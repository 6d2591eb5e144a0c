/** A reason for which records are rejected, and how many. */
export interface FrequentReason {
  readonly reason: string;
  readonly records: number;
}

// Reasons with names that a file makes up could be without number and of any length.
const MAX_REASONS = 1000;
const MAX_CHARACTERS = 200;

const NUMBER = /0x[\da-f]+|\d+/gi;

/** Counts the records that are rejected for a reason; reasons that differ in their numbers only are one. */
export class FrequentReasons {
  readonly #counted = new Map<string, { reason: string; records: number }>();

  /** Adds the reasons of one record. */
  add(reasons: readonly string[]): void {
    const ofRecord = new Set<string>();
    for (const reason of reasons) {
      const text = reason.slice(0, MAX_CHARACTERS);
      const key = text.replaceAll(NUMBER, '0');
      const known = this.#counted.get(key);
      if (known) known.reason = withoutDifferent(known.reason, text);
      else if (this.#counted.size < MAX_REASONS) this.#counted.set(key, { reason: text, records: 0 });
      ofRecord.add(key);
    }
    for (const key of ofRecord) {
      const counted = this.#counted.get(key);
      if (counted) counted.records += 1;
    }
  }

  /** The most frequent ones, with `…` for numbers that differ. */
  top(count: number): FrequentReason[] {
    return [...this.#counted.values()].toSorted((a, b) => b.records - a.records).slice(0, count);
  }
}

function withoutDifferent(reason: string, other: string): string {
  const numbers = (other.match(NUMBER) ?? []).values();
  return reason.replaceAll(/0x[\da-f]+|\d+|…/gi, (number) => (number === numbers.next().value ? number : '…'));
}
