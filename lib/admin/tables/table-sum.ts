import { createHash } from 'node:crypto';
import type { RawItem } from '../../storage/tables/raw-table.ts';

const MODULUS = 2n ** 128n;

/** How many items a table holds, and a sum of the hashes of all of them in 32 hexadecimal digits. */
export interface TableSum {
  readonly items: number;
  readonly fingerprint: string;
}

/** Sums up the items of a table, in whatever order they come. */
export class TableSummer {
  #items = 0;
  #sum = 0n;

  /** Counts an item. */
  add(item: RawItem): void {
    const digest = createHash('sha256').update(canonical(item)).digest('hex').slice(0, 32);
    this.#items++;
    this.#sum = (this.#sum + BigInt(`0x${digest}`)) % MODULUS;
  }

  /** The sum of what was counted. */
  sum(): TableSum {
    return { items: this.#items, fingerprint: this.#sum.toString(16).padStart(32, '0') };
  }
}

/** The same text for the same item, in whatever order its attributes and the members of its sets come. */
export function canonical(item: RawItem): string {
  return JSON.stringify(item, (key, value: unknown) => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
    if (['SS', 'NS', 'BS'].includes(key) && Array.isArray(value)) return value.map(String).toSorted();
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}
