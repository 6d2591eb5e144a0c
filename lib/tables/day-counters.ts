import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { StateCode } from '../domain/invoice-states.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import { entryText, type ListEntry, listEntryOf, monthOf } from '../domain/list-entry.ts';
import {
  addFingerprints,
  type Fingerprint,
  fingerprintOf,
  fromSum,
  NO_FINGERPRINT,
  subtractFingerprints,
  toSummand,
} from '../runtime/fingerprints.ts';
import type { InvoiceChange } from '../invoices/transactions.ts';
import type { Key } from './dynamodb/key.ts';
import { COUNTER_SHARDS, counterSortKey, invoicePartition } from './keys.ts';

/** The attribute that counts the updates of a counter item, by which an audit notices that the item has changed. */
export const CHANGES = 'changes';

type CountedChange = Pick<InvoiceChange, 'before' | 'after'>;

const DAY_DIGITS = 2;
const COUNTER_OR_DAY = /^\d\d(?:[A-Z]{3})?$/;

/** The update that adds to one month's counters, as part of the transaction that changes the invoices. */
export interface CounterUpdate {
  readonly Key: Key;
  readonly UpdateExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues: Record<string, number>;
}

/** Builds the name of a counter: the attribute 07PEN counts the invoices of the 7th that are in state PEN. */
export function counterName(date: string, state: StateCode): string {
  return dayName(date) + state;
}

/** Builds the name of a day's fingerprint: the attribute 07, summed over all shards, is the fingerprint of the 7th. */
export function dayName(date: string): string {
  return date.slice(8, 10);
}

/**
 * Adds up the counters and fingerprints of one month, by name. The items are not converted before, because they contain
 * very many numbers.
 */
export function sumsOf(items: readonly Record<string, AttributeValue>[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const item of items) {
    for (const [name, { N: digits }] of Object.entries(item)) {
      if (digits === undefined || !COUNTER_OR_DAY.test(name)) continue;
      const sum = sums.get(name) ?? 0;
      sums.set(name, name.length === DAY_DIGITS ? addFingerprints(sum, fromSum(digits)) : sum + Number(digits));
    }
  }
  return sums;
}

export function entryFingerprint(entry: ListEntry): Fingerprint {
  return fingerprintOf(entryText(entry));
}

/** Returns the months (yyyy-mm) whose counters a change updates. */
export function countedMonths(change: CountedChange): string[] {
  return [...new Set(movesOf(change).map(({ entry }) => monthOf(entry.position)))];
}

/** The counter updates for invoices that change, merged by month. Any whole number chooses a shard. */
export function counterUpdates(
  scope: SupplierScope,
  changes: readonly CountedChange[],
  shard: number,
): CounterUpdate[] {
  const months = Map.groupBy(changes.flatMap(movesOf), ({ entry }) => monthOf(entry.position));
  return [...months].map(([month, moves]) => {
    const sums = new Map<string, number>();
    for (const { entry, by } of moves) countEntry(sums, entry, by);
    const added = [...sums].map(([name, sum]) => [name, name.length === DAY_DIGITS ? toSummand(sum) : sum] as const);
    return counterUpdate(scope, month, shard, new Map(added));
  });
}

/** Adds an entry of the lists to sums of counters and fingerprints, or (-1) subtracts it. */
export function countEntry(sums: Map<string, number>, entry: ListEntry, by: 1 | -1): void {
  const [counter, day] = [counterName(entry.position, entry.state), dayName(entry.position)];
  const add = by === 1 ? addFingerprints : subtractFingerprints;
  sums.set(counter, (sums.get(counter) ?? 0) + by);
  sums.set(day, add(sums.get(day) ?? NO_FINGERPRINT, entryFingerprint(entry)));
}

/** Returns the entry that leaves the lists and the one that enters them; none if the change has no effect on lists. */
function movesOf({ before, after }: CountedChange): { entry: ListEntry; by: 1 | -1 }[] {
  const entered = listEntryOf(after);
  if (!before) return [{ entry: entered, by: 1 }];
  const left = listEntryOf(before);
  if (entryText(left) === entryText(entered)) return [];
  return [
    { entry: left, by: -1 },
    { entry: entered, by: 1 },
  ];
}

/** Builds the update that adds to the counters of one month. `shard` can be any whole number. */
function counterUpdate(
  scope: SupplierScope,
  month: string,
  shard: number,
  deltas: ReadonlyMap<string, number>,
): CounterUpdate {
  const added: [name: string, delta: number][] = [...[...deltas].filter(([, delta]) => delta !== 0), [CHANGES, 1]];
  return {
    Key: { pk: invoicePartition(scope), sk: counterSortKey(month, shard % COUNTER_SHARDS) },
    UpdateExpression: `ADD ${added.map((_, index) => `#c${index} :d${index}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(added.map(([name], index) => [`#c${index}`, name])),
    ExpressionAttributeValues: Object.fromEntries(added.map(([, delta], index) => [`:d${index}`, delta])),
  };
}
