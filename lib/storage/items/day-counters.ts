import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { StateCode } from '../../domain/invoice-states.ts';
import type { Invoice, SupplierScope } from '../../domain/invoice.ts';
import { entryText, type ListEntry, listEntryOf, monthOf } from '../../domain/list-entry.ts';
import {
  addFingerprints,
  type Fingerprint,
  fingerprintOf,
  fromSum,
  NO_FINGERPRINT,
  subtractFingerprints,
  toSummand,
} from '../../runtime/fingerprints.ts';
import type { Key } from '../dynamodb/key.ts';
import { COUNTER_SHARDS, counterSortKey, invoicePartition } from './keys.ts';

/**
 * The attribute of a counter item that grows by one with every update. An audit that counts anew sees by it that the
 * item has changed.
 */
export const CHANGES = 'changes';

const DAY_DIGITS = 2;
const COUNTER_OR_DAY = /^\d\d(?:[A-Z]{3})?$/;

/** The update that adds to one month's counters, as part of the transaction that changes the invoices. */
export interface CounterUpdate {
  readonly Key: Key;
  readonly UpdateExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues: Record<string, number>;
}

/** The name of a counter in its month's items: attribute 07PEN counts the invoices of the 7th that are in state PEN. */
export function counterName(date: string, state: StateCode): string {
  return dayName(date) + state;
}

/**
 * The name of a day's fingerprint in its month's items: over all shards, attribute 07 adds up to the fingerprint of the
 * entries of the 7th.
 */
export function dayName(date: string): string {
  return date.slice(8, 10);
}

/**
 * The sums of the counters and fingerprints of one month, by name. The items are in the form in which they come,
 * because there are very many numbers in them.
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

/** The fingerprint of an entry of the lists. */
export function entryFingerprint(entry: ListEntry): Fingerprint {
  return fingerprintOf(entryText(entry));
}

/** An invoice as it was (null: new) and as it becomes. */
export interface CountedChange {
  readonly before: Invoice | null;
  readonly after: Invoice;
}

/** The months (yyyy-mm) whose counters a change updates. */
export function countedMonths({ before, after }: CountedChange): string[] {
  if (isUnlisted({ before, after })) return [];
  return [...new Set([before ?? after, after].map(({ sortDate }) => monthOf(sortDate)))];
}

/**
 * The counter updates for invoices that change from `before` (null: new) to `after`, merged by month. Any whole number
 * chooses a shard.
 */
export function counterUpdates(
  scope: SupplierScope,
  changes: readonly CountedChange[],
  shard: number,
): CounterUpdate[] {
  const months = new Map<string, MonthDeltas>();
  const deltasOf = ({ sortDate }: Invoice) => {
    const month = monthOf(sortDate);
    const deltas = months.get(month) ?? { counts: new Map(), fingerprints: new Map() };
    months.set(month, deltas);
    return deltas;
  };
  for (const change of changes) {
    if (isUnlisted(change)) continue;
    if (change.before) count(deltasOf(change.before), change.before, -1);
    count(deltasOf(change.after), change.after, 1);
  }
  return [...months].map(([month, { counts, fingerprints }]) => {
    const summands = [...fingerprints].map(([day, fingerprint]): [string, number] => [day, toSummand(fingerprint)]);
    return counterUpdate(scope, month, shard, new Map([...counts, ...summands]));
  });
}

/** What is added to a month: invoices by counter, and fingerprints by day. */
interface MonthDeltas {
  readonly counts: Map<string, number>;
  readonly fingerprints: Map<string, Fingerprint>;
}

function count({ counts, fingerprints }: MonthDeltas, invoice: Invoice, invoices: 1 | -1): void {
  const counter = counterName(invoice.sortDate, invoice.state);
  counts.set(counter, (counts.get(counter) ?? 0) + invoices);
  const day = dayName(invoice.sortDate);
  const change = invoices > 0 ? addFingerprints : subtractFingerprints;
  fingerprints.set(day, change(fingerprints.get(day) ?? NO_FINGERPRINT, entryFingerprint(listEntryOf(invoice))));
}

/** Whether a change is one that neither a list nor a search goes by. */
function isUnlisted({ before, after }: CountedChange): boolean {
  if (!before) return false;
  return entryText(listEntryOf(before)) === entryText(listEntryOf(after));
}

/** The update that adds to counters of one month; any whole number chooses a shard. */
export function counterUpdate(
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
