import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type CountedRange, dayOf, wholeDay } from '../domain/day-counts.ts';
import type { DateRange } from '../domain/date-range.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import { COUNTER_SHARDS, counterSortKey, invoicePartition, type Key } from './keys.ts';
import { type StoredNumber, toInteger } from './numbers.ts';

// In a month's item, attribute 07PEN counts the invoices of the 7th that are in state PEN.
const COUNTER = /^(\d\d)([A-Z]{3})$/;

/** The update that adds to one month's counters, as part of the transaction that changes the invoices. */
export interface CounterUpdate {
  readonly Key: Key;
  readonly UpdateExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues: Record<string, number>;
}

/** The counter updates for invoices that change from `before` (null: new) to `after`, merged by month; any whole number chooses a shard. */
export function counterUpdates(
  scope: SupplierScope,
  changes: readonly { before: Invoice | null; after: Invoice }[],
  shard: number,
): CounterUpdate[] {
  const months = new Map<string, Map<string, number>>();
  const add = ({ sortDate, state }: Invoice, delta: number) => {
    const month = sortDate.slice(0, 7);
    const counter = sortDate.slice(8, 10) + state;
    const deltas = months.get(month) ?? new Map<string, number>();
    months.set(month, deltas.set(counter, (deltas.get(counter) ?? 0) + delta));
  };
  for (const { before, after } of changes) {
    if (before) add(before, -1);
    add(after, 1);
  }
  return [...months].flatMap(([month, deltas]) => {
    const changed = [...deltas].filter(([, delta]) => delta !== 0);
    if (changed.length === 0) return [];
    return {
      Key: { pk: invoicePartition(scope), sk: counterSortKey(month, shard % COUNTER_SHARDS) },
      UpdateExpression: `ADD ${changed.map((_, index) => `#c${index} :d${index}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(changed.map(([counter], index) => [`#c${index}`, counter])),
      ExpressionAttributeValues: Object.fromEntries(changed.map(([, delta], index) => [`:d${index}`, delta])),
    };
  });
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
    for (const [name, value] of Object.entries(item)) {
      const [, dayOfMonth, counted] = COUNTER.exec(name) ?? [];
      const day = `${month}-${dayOfMonth}`;
      if (!counted || (state && counted !== state) || day < first || day > last) continue;
      counts.set(day, (counts.get(day) ?? 0) + toInteger(value as StoredNumber));
    }
  }
  return [...counts].map(([day, count]) => ({ ...wholeDay(Date.parse(day)), count }));
}
