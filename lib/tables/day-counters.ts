import { type AttributeValue, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { formatDay, wholeDay } from '../domain/date-range.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import { entryText, type ListEntry, listEntryOf, monthOf } from '../domain/list-entry.ts';
import {
  addFingerprints,
  type Fingerprint,
  computeFingerprint,
  fromSum,
  NO_FINGERPRINT,
  toSummand,
} from '../runtime/fingerprints.ts';
import type { CountedDay, RowSelection } from '../invoices/invoice-lists.ts';
import type { InvoiceChange } from '../invoices/transactions.ts';
import { COUNTER_SHARDS, parseCounterMonth, buildCounterSortKey, buildInvoicePartition } from './keys.ts';

/** The attribute that counts the updates of a counter item, by which an audit notices that the item has changed. */
export const CHANGES = 'changes';

type CountedChange = Pick<InvoiceChange, 'before' | 'after'>;

const DAY_DIGITS = 2;
const COUNTER_OR_DAY = /^\d\d(?:[A-Z]{3})?$/;

/** Builds the name of a counter: the attribute 07PEN counts the invoices of the 7th that are in state PEN. */
export function buildCounterName(date: string, state: StateCode): string {
  return buildDayName(date) + state;
}

/** Builds the name of a day's fingerprint: the attribute 07, summed over all shards, is the fingerprint of the 7th. */
export function buildDayName(date: string): string {
  return date.slice(8, 10);
}

/**
 * Adds up the counters and fingerprints of one month, by name. The items are not converted before, because they contain
 * very many numbers.
 */
export function sumCounters(items: readonly Record<string, AttributeValue>[]): Map<string, number> {
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

/** Returns the months (yyyy-mm) whose counters a change updates. */
export function findCountedMonths(change: CountedChange): string[] {
  return [...new Set(movesOf(change).map(({ entry }) => monthOf(entry.position)))];
}

/** Builds the updates of the counters for invoices that change, one for each month. `shard` can be any whole number. */
export function buildCounterUpdates(scope: SupplierScope, changes: readonly CountedChange[], shard: number) {
  const months = Map.groupBy(changes.flatMap(movesOf), ({ entry }) => monthOf(entry.position));
  return [...months].map(([month, moves]) => {
    const sums = new Map<string, number>();
    for (const { entry, by } of moves) addEntry(sums, entry, by);
    const added = [...sums].map(([name, sum]) => [name, name.length === DAY_DIGITS ? toSummand(sum) : sum] as const);
    return counterUpdate(scope, month, shard, new Map(added));
  });
}

/** Adds an entry of the lists to sums of counters and fingerprints, or (-1) subtracts it. */
export function addEntry(sums: Map<string, number>, entry: ListEntry, by: 1 | -1): void {
  const [counter, day] = [buildCounterName(entry.position, entry.state), buildDayName(entry.position)];
  const fingerprint = computeFingerprint(entryText(entry));
  sums.set(counter, (sums.get(counter) ?? 0) + by);
  sums.set(day, addFingerprints(sums.get(day) ?? NO_FINGERPRINT, by * fingerprint));
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
function counterUpdate(scope: SupplierScope, month: string, shard: number, deltas: ReadonlyMap<string, number>) {
  const added: [name: string, delta: number][] = [...[...deltas].filter(([, delta]) => delta !== 0), [CHANGES, 1]];
  return {
    Key: { pk: buildInvoicePartition(scope), sk: buildCounterSortKey(month, shard % COUNTER_SHARDS) },
    UpdateExpression: `ADD ${added.map((_, index) => `#c${index} :d${index}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(added.map(([name], index) => [`#c${index}`, name])),
    ExpressionAttributeValues: Object.fromEntries(added.map(([, delta], index) => [`:d${index}`, delta])),
  };
}

/** Reads the counter items of some months (yyyy-mm) in the form in which they come (see sumCounters). */
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

/** Counts the invoices (of one state, or of all) of each day in a range of whole days. */
export async function readDayCounts(
  client: DynamoDBDocumentClient,
  table: string,
  { scope, range, state }: RowSelection,
): Promise<CountedDay[]> {
  const [first, last] = [formatDay(range.startMs), formatDay(range.endMs)];
  const items = await readCounters(client, table, scope, monthOf(first), monthOf(last));
  const days = new Map<string, { count: number; countInAll: number; fingerprint: Fingerprint }>();
  for (const [month, ofMonth] of Map.groupBy(items, ({ sk }) => parseCounterMonth(sk?.S ?? ''))) {
    for (const [name, sum] of sumCounters(ofMonth)) {
      const day = `${month}-${name.slice(0, DAY_DIGITS)}`;
      if (day < first || day > last) continue;
      const found = days.get(day) ?? { count: 0, countInAll: 0, fingerprint: NO_FINGERPRINT };
      days.set(day, found);
      const counted = name.slice(DAY_DIGITS);
      if (counted === '') found.fingerprint = sum;
      else {
        found.countInAll += sum;
        if (!state || counted === state) found.count += sum;
      }
    }
  }
  return [...days].map(([day, sums]) => ({ day, range: wholeDay(Date.parse(day)), ...sums }));
}
