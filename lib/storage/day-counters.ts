import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type CountedRange, dayOf, wholeDay } from '../domain/day-counts.ts';
import type { DateRange } from '../domain/date-range.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import { COUNTER_SHARDS, counterSortKey, invoicePartition, type Key } from './keys.ts';
import { type StoredNumber, toInteger } from './numbers.ts';

/**
 * The attribute of a counter item that grows by one with every update. An audit that counts anew sees by it that the
 * item has changed.
 */
export const CHANGES = 'changes';

const COUNTER = /^(\d\d)([A-Z]{3})$/;

/** The update that adds to one month's counters, as part of the transaction that changes the invoices. */
export interface CounterUpdate {
  readonly Key: Key;
  readonly UpdateExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues: Record<string, number>;
}

/** The name of a counter in its month's items: attribute 07PEN counts the invoices of the 7th that are in state PEN. */
export function counterName(date: string, state: StateCode): string {
  return date.slice(8, 10) + state;
}

/** The counters in a month's item, by name. */
export function countersIn(item: Readonly<Record<string, unknown>>): [name: string, count: number][] {
  return Object.entries(item)
    .filter(([name]) => COUNTER.test(name))
    .map(([name, value]) => [name, toInteger(value as StoredNumber)]);
}

/** An invoice as it was (null: new) and as it becomes. */
export interface CountedChange {
  readonly before: Invoice | null;
  readonly after: Invoice;
}

/** The months (yyyy-mm) whose counters a change updates. */
export function countedMonths(change: CountedChange): string[] {
  if (staysInPlace(change)) return [];
  const { before, after } = change;
  return [...new Set([monthOf(before ?? after), monthOf(after)])];
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
  const months = new Map<string, Map<string, number>>();
  const add = (invoice: Invoice, delta: number) => {
    const month = monthOf(invoice);
    const counter = counterName(invoice.sortDate, invoice.state);
    const deltas = months.get(month) ?? new Map<string, number>();
    months.set(month, deltas.set(counter, (deltas.get(counter) ?? 0) + delta));
  };
  for (const change of changes) {
    if (staysInPlace(change)) continue;
    if (change.before) add(change.before, -1);
    add(change.after, 1);
  }
  return [...months].map(([month, deltas]) => counterUpdate(scope, month, shard, deltas));
}

// A move within a day changes no counter. It counts as a change all the same, because an audit could miss the invoice.
function staysInPlace({ before, after }: CountedChange): boolean {
  return before?.sortDate === after.sortDate && before.state === after.state;
}

function monthOf({ sortDate }: Invoice): string {
  return sortDate.slice(0, 7);
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

/** Counts the invoices (of one state, or of all) of each day in a range of whole days. */
export async function readDayCounts(
  client: DynamoDBDocumentClient,
  table: string,
  scope: SupplierScope,
  range: DateRange,
  state: StateCode | null,
): Promise<CountedRange[]> {
  const first = dayOf(range.startMs);
  const last = dayOf(range.endMs);
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':pk': invoicePartition(scope),
        ':first': counterSortKey(first.slice(0, 7), 0),
        ':last': counterSortKey(last.slice(0, 7), COUNTER_SHARDS - 1),
      },
      ConsistentRead: true,
      Limit: 100,
    }),
  );
  const counts = new Map<string, number>();
  for (const item of Items) {
    const month = (item['sk'] as string).split('#')[1] ?? '';
    for (const [name, count] of countersIn(item)) {
      const day = `${month}-${name.slice(0, 2)}`;
      if ((state && !name.endsWith(state)) || day < first || day > last) continue;
      counts.set(day, (counts.get(day) ?? 0) + count);
    }
  }
  return [...counts].map(([day, count]) => ({ ...wholeDay(Date.parse(day)), count }));
}
