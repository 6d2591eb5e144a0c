import { type AttributeValue, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { formatDay, selectDay } from '../domain/date-range.ts';
import { STATE_CODES, type StateCode } from '../domain/invoice-states.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import { toEntryText, type ListEntry, toListEntry, toMonth } from '../domain/list-entry.ts';
import { addFingerprints, computeFingerprint, fromSum, NO_FINGERPRINT, toSummand } from '../runtime/fingerprints.ts';
import type { CountedDay, RowSelection } from '../invoices/invoice-lists.ts';
import type { InvoiceChange } from '../invoices/transactions.ts';
import { COUNTER_SHARDS, parseCounterMonth, buildCounterSortKey, buildInvoicePartition } from './keys.ts';

/** The attribute that counts the updates of a counter item. With it, an audit detects that the item has changed. */
export const CHANGES = 'changes';

type CountedChange = Pick<InvoiceChange, 'before' | 'after'>;

/** An entry that is added to the lists (`sign` is 1) or removed from them (-1). */
type EntryChange = { readonly entry: ListEntry; readonly sign: 1 | -1 };

const DAY_DIGITS = 2;
// Matches the name of a counter, such as 07PEN, or of a fingerprint, such as 07.
const COUNTER_OR_FINGERPRINT = /^\d\d(?:[A-Z]{3})?$/;
const isFingerprintName = (name: string) => name.length === DAY_DIGITS;

/** Builds the name of a counter. The attribute 07PEN counts the invoices of day 7 that are in state PEN. */
export function buildCounterName(date: string, state: StateCode): string {
  return buildFingerprintName(date) + state;
}

/** Builds the name of a fingerprint. The sum of the attribute 07 over all shards is the fingerprint of day 7. */
export function buildFingerprintName(date: string): string {
  return date.slice('yyyy-mm-'.length, 'yyyy-mm-dd'.length);
}

/** Sums the counters and fingerprints of one month over all shards, by name. `items` come from `readCounters`. */
export function sumCounters(items: readonly Record<string, AttributeValue>[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const item of items) {
    for (const [name, { N: digits }] of Object.entries(item)) {
      if (digits === undefined || !COUNTER_OR_FINGERPRINT.test(name)) continue;
      const sum = sums.get(name) ?? 0;
      sums.set(name, isFingerprintName(name) ? addFingerprints(sum, fromSum(digits)) : sum + Number(digits));
    }
  }
  return sums;
}

/** Finds the months (yyyy-mm) whose counters a change updates. */
export function findCountedMonths(change: CountedChange): string[] {
  return [...new Set(findEntryChanges(change).map(({ entry }) => toMonth(entry.position)))];
}

/**
 * Builds the counter updates for changes of invoices, one update for each month: `ADD #c0 :d0, #c1 :d1, …`. `shard` is
 * any whole number.
 */
export function buildCounterUpdates(scope: SupplierScope, changes: readonly CountedChange[], shard: number) {
  const entryChangesByMonth = Map.groupBy(changes.flatMap(findEntryChanges), ({ entry }) => toMonth(entry.position));
  return [...entryChangesByMonth].map(([month, entryChanges]) => {
    const sums = new Map<string, number>();
    for (const { entry, sign } of entryChanges) applyEntry(sums, entry, sign);
    const deltas = [...sums]
      .map(([name, sum]): [string, number] => [name, isFingerprintName(name) ? toSummand(sum) : sum])
      .filter(([, delta]) => delta !== 0);
    deltas.push([CHANGES, 1]);
    return {
      Key: { pk: buildInvoicePartition(scope), sk: buildCounterSortKey(month, shard % COUNTER_SHARDS) },
      UpdateExpression: `ADD ${deltas.map((_, index) => `#c${index} :d${index}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(deltas.map(([name], index) => [`#c${index}`, name])),
      ExpressionAttributeValues: Object.fromEntries(deltas.map(([, delta], index) => [`:d${index}`, delta])),
    };
  });
}

/** Adds an entry to the sums of its counter and its fingerprint (`sign` is 1), or subtracts the entry (-1). */
export function applyEntry(sums: Map<string, number>, entry: ListEntry, sign: EntryChange['sign']): void {
  const counterName = buildCounterName(entry.position, entry.state);
  sums.set(counterName, (sums.get(counterName) ?? 0) + sign);
  const fingerprintName = buildFingerprintName(entry.position);
  const summand = sign * computeFingerprint(toEntryText(entry));
  sums.set(fingerprintName, addFingerprints(sums.get(fingerprintName) ?? NO_FINGERPRINT, summand));
}

/** Finds the entry that is removed from the lists and the entry that is added. Returns none if both are equal. */
function findEntryChanges({ before, after }: CountedChange): EntryChange[] {
  const oldEntry = before && !before.isWithdrawn ? toListEntry(before) : null;
  const newEntry = after.isWithdrawn ? null : toListEntry(after);
  if (oldEntry && newEntry && toEntryText(oldEntry) === toEntryText(newEntry)) return [];
  const entryChanges: EntryChange[] = [];
  if (oldEntry) entryChanges.push({ entry: oldEntry, sign: -1 });
  if (newEntry) entryChanges.push({ entry: newEntry, sign: 1 });
  return entryChanges;
}

/** Builds the condition that a counter item has not changed since it was read (`changes` is undefined: was absent). */
export function buildCountersUnchanged(changes: unknown) {
  const names = { ExpressionAttributeNames: { '#changes': CHANGES } };
  if (changes === undefined) return { ConditionExpression: 'attribute_not_exists(#changes)', ...names };
  return { ConditionExpression: '#changes = :changes', ...names, ExpressionAttributeValues: { ':changes': changes } };
}

/** Reads the counter items of a range of months, unconverted, because the conversion of many numbers would be slow. */
export async function readCounters(
  client: DynamoDBDocumentClient,
  table: string,
  scope: SupplierScope,
  firstMonth: string,
  lastMonth: string,
): Promise<Record<string, AttributeValue>[]> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':pk': { S: buildInvoicePartition(scope) },
        ':first': { S: buildCounterSortKey(firstMonth, 0) },
        ':last': { S: buildCounterSortKey(lastMonth, COUNTER_SHARDS - 1) },
      },
      ConsistentRead: true,
      Limit: 100,
    }),
  );
  return Items;
}

/** Reads the counters of the days that a range touches, newest first. Omits days without rows in the state. */
export async function readDayCounts(
  client: DynamoDBDocumentClient,
  table: string,
  { scope, range, state }: RowSelection,
): Promise<CountedDay[]> {
  const firstDay = formatDay(range.startMs);
  const lastDay = formatDay(range.endMs);
  const items = await readCounters(client, table, scope, toMonth(firstDay), toMonth(lastDay));
  const states = state ? [state] : STATE_CODES;
  const countedDays: CountedDay[] = [];
  for (const [month, monthItems] of Map.groupBy(items, ({ sk }) => parseCounterMonth(sk?.S ?? ''))) {
    const sums = sumCounters(monthItems);
    for (const dayOfMonth of new Set([...sums.keys()].map((name) => name.slice(0, DAY_DIGITS)))) {
      const day = `${month}-${dayOfMonth}`;
      const count = states.reduce((sum, code) => sum + (sums.get(buildCounterName(day, code)) ?? 0), 0);
      if (count === 0 || day < firstDay || day > lastDay) continue;
      const fingerprint = sums.get(dayOfMonth) ?? NO_FINGERPRINT;
      countedDays.push({ day, range: selectDay(range, Date.parse(day)), count, fingerprint });
    }
  }
  return countedDays.toSorted((one, other) => (one.day < other.day ? 1 : -1));
}
