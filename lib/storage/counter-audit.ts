import { type DynamoDBDocumentClient, paginateQuery, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { SupplierScope } from '../domain/invoice.ts';
import { CHANGES, counterName, countersIn, counterUpdate } from './day-counters.ts';
import type { InvoiceItem } from './invoice-items.ts';
import { COUNTER_SHARDS, counterSortKey, invoicePartition, keyBounds } from './keys.ts';
import { type StoredNumber, toInteger } from './numbers.ts';
import { PAGE_ITEMS } from './paged-items.ts';
import { transact } from './transact.ts';

/** How many invoices of a month there are, by counter name (see counterName). */
export type MonthCounts = ReadonlyMap<string, number>;

/**
 * A month's counters as they are stored: their sums, and how often each shard was changed (0: never, or there is no
 * such item).
 */
export interface StoredCounters {
  readonly sums: MonthCounts;
  readonly changes: readonly number[];
}

/** What it takes to verify day counters; months are yyyy-mm. Strongly consistent. */
export interface CounterAudit {
  /** The months that have invoices or counters, oldest first; the others cost nothing. */
  readonly months: (scope: SupplierScope) => AsyncIterable<string>;
  readonly read: (scope: SupplierScope, month: string) => Promise<StoredCounters>;
  /** Counts the invoices themselves, page by page. */
  readonly recount: (scope: SupplierScope, month: string) => Promise<MonthCounts>;
  /** Adds to the counters; false, and nothing is written, when a counter of the month has changed since it was read. */
  readonly correct: (
    scope: SupplierScope,
    month: string,
    asRead: StoredCounters,
    corrections: MonthCounts,
  ) => Promise<boolean>;
}

// In a sort key, it sorts after everything that may follow a month.
const LAST = '~';
const BEFORE_ALL_MONTHS = '0000-00';

/** The auditors' repository of the day counters in Invoices. */
export function createCounterAudit(client: DynamoDBDocumentClient, table: string): CounterAudit {
  async function firstKey(scope: SupplierScope, name: 'sk' | 'by_date', first: string, last: string) {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        ...(name === 'by_date' && { IndexName: 'by-date' }),
        KeyConditionExpression: `pk = :pk AND ${name} BETWEEN :first AND :last`,
        ExpressionAttributeValues: { ':pk': invoicePartition(scope), ':first': first, ':last': last },
        ProjectionExpression: name,
        ConsistentRead: true,
        Limit: 1,
      }),
    );
    return Items[0]?.[name] as string | undefined;
  }

  async function monthAfter(scope: SupplierScope, month: string): Promise<string | undefined> {
    const invoices = keyBounds(null, month + LAST, LAST);
    const [counter, invoice] = await Promise.all([
      firstKey(scope, 'sk', counterSortKey(month + LAST, 0), counterSortKey(LAST, 0)),
      firstKey(scope, 'by_date', invoices.first, invoices.last),
    ]);
    const months = [counter?.split('#')[1], invoice?.slice(0, 7)];
    return months.filter((found) => found !== undefined).toSorted()[0];
  }

  return {
    async *months(scope) {
      let month = await monthAfter(scope, BEFORE_ALL_MONTHS);
      while (month !== undefined) {
        yield month;
        month = await monthAfter(scope, month);
      }
    },

    async read(scope, month) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
          ExpressionAttributeValues: {
            ':pk': invoicePartition(scope),
            ':first': counterSortKey(month, 0),
            ':last': counterSortKey(month, COUNTER_SHARDS - 1),
          },
          ConsistentRead: true,
          Limit: COUNTER_SHARDS,
        }),
      );
      const sums = new Map<string, number>();
      for (const [name, count] of Items.flatMap(countersIn)) sums.set(name, (sums.get(name) ?? 0) + count);
      const changes = Array.from({ length: COUNTER_SHARDS }, (_, shard) => {
        const stored = Items.find(({ sk }) => sk === counterSortKey(month, shard))?.[CHANGES];
        return stored === undefined ? 0 : toInteger(stored as StoredNumber);
      });
      return { sums, changes };
    },

    async recount(scope, month) {
      const { first, last } = keyBounds(null, month, month + LAST);
      const pages = paginateQuery(
        { client },
        {
          TableName: table,
          IndexName: 'by-date',
          KeyConditionExpression: 'pk = :pk AND by_date BETWEEN :first AND :last',
          ExpressionAttributeValues: { ':pk': invoicePartition(scope), ':first': first, ':last': last },
          ProjectionExpression: 'by_date, state_code',
          ConsistentRead: true,
          Limit: PAGE_ITEMS,
        },
      );
      const counts = new Map<string, number>();
      for await (const { Items = [] } of pages) {
        for (const { by_date: date, state_code: state } of Items as InvoiceItem[]) {
          const name = counterName(date, state);
          counts.set(name, (counts.get(name) ?? 0) + 1);
        }
      }
      return counts;
    },

    async correct(scope, month, { changes }, corrections) {
      const writes = changes.map((count, shard) => {
        const update = counterUpdate(scope, month, shard, shard === 0 ? corrections : new Map());
        const asRead = {
          ConditionExpression: count === 0 ? 'attribute_not_exists(#changes)' : '#changes = :changes',
          ExpressionAttributeNames: { ...update.ExpressionAttributeNames, '#changes': CHANGES },
          ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ...(count > 0 && { ':changes': count }) },
        };
        return { Update: { TableName: table, ...update, ...asRead } };
      });
      return (await transact(client, { TransactItems: writes })).kind === 'committed';
    },
  };
}
