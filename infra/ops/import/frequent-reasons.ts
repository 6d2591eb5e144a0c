// The limits of memory, because a file with invented property names can have any number of reasons, of any length.
const MAX_REASONS = 1000;
const MAX_CHARACTERS = 200;

/** Counts the records that are rejected for a reason. Reasons that differ only in their numbers are one reason. */
export class FrequentReasons {
  readonly #counts = new Map<string, { reason: string; records: number }>();

  /** Counts the reasons of a rejected record, each once. */
  add(reasons: readonly string[]): void {
    const shortReasons = reasons.map((reason) => reason.slice(0, MAX_CHARACTERS));
    // For example, `invoice_id: 17 is …` and `invoice_id: 18 is …` have the key `invoice_id: … is …`.
    const reasonsByKey = Map.groupBy(shortReasons, (reason) => reason.replaceAll(/\d+/g, '…'));
    for (const [key, [reason = '']] of reasonsByKey) {
      const count = this.#counts.get(key) ?? { reason, records: 0 };
      if (this.#counts.size < MAX_REASONS) this.#counts.set(key, count);
      if (count.reason !== reason) count.reason = key;
      count.records += 1;
    }
  }

  /** Returns the most frequent reasons, with `…` for numbers that differ, and the number of records with each reason. */
  listTop(count: number) {
    return [...this.#counts.values()].toSorted((a, b) => b.records - a.records).slice(0, count);
  }
}
