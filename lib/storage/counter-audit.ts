import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { SupplierScope } from '../domain/invoice.ts';
import { monthOf } from '../domain/list-entry.ts';
import { addFingerprints, NO_FINGERPRINT } from '../runtime/fingerprints.ts';
import { CHANGES, counterName, counterUpdate, dayName, entryFingerprint, sumsOf } from './day-counters.ts';
import type { InvoiceItem } from './invoice-items.ts';
import { type InvoiceRowItem, toEntry } from './invoice-row-items.ts';
import {
  COUNTER_SHARDS,
  counterMonth,
  counterSortKey,
  invoiceIdBounds,
  invoicePartition,
  type Key,
  rowPartition,
  rowPrefix,
} from './keys.ts';
import { PAGE_ITEMS } from './paged-items.ts';
import { transact } from './transact.ts';

/** How many invoices of a month there are, by counter name, and their fingerprints, by day (see day-counters). */
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
  /** The months that have invoices or counters, oldest first. */
  readonly months: (scope: SupplierScope) => Promise<string[]>;
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

/** The auditors' repository of the day counters in Invoices. */
export function createCounterAudit(client: DynamoDBDocumentClient, table: string): CounterAudit {
  function monthsOf(scope: SupplierScope, first: string, last: string) {
    return paginateQuery(
      { client },
      {
        TableName: table,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: { ':pk': invoicePartition(scope), ':first': first, ':last': last },
        ProjectionExpression: 'sk, sort_date',
        ConsistentRead: true,
        Limit: PAGE_ITEMS,
      },
    );
  }

  return {
    async months(scope) {
      const months = new Set<string>();
      for await (const { Items = [] } of monthsOf(scope, counterSortKey('', 0), counterSortKey(LAST, 0)))
        for (const { sk } of Items as Key[]) months.add(counterMonth(sk));
      for await (const { Items = [] } of monthsOf(scope, invoiceIdBounds.first, invoiceIdBounds.last))
        for (const { sort_date } of Items as InvoiceItem[]) months.add(monthOf(sort_date));
      return [...months].toSorted();
    },

    async read(scope, month) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
          ExpressionAttributeValues: {
            ':pk': { S: invoicePartition(scope) },
            ':first': { S: counterSortKey(month, 0) },
            ':last': { S: counterSortKey(month, COUNTER_SHARDS - 1) },
          },
          ConsistentRead: true,
          Limit: COUNTER_SHARDS,
        }),
      );
      const sums = sumsOf(Items);
      const changes = Array.from({ length: COUNTER_SHARDS }, (_, shard) => {
        const item = Items.find(({ sk }) => sk?.S === counterSortKey(month, shard));
        return Number(item?.[CHANGES]?.N ?? 0);
      });
      return { sums, changes };
    },

    async recount(scope, month) {
      const pages = paginateQuery(
        { client },
        {
          TableName: table,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :all)',
          ExpressionAttributeValues: { ':pk': rowPartition(scope, month), ':all': rowPrefix(null) },
          ProjectionExpression: 'sk, state_code, search_text',
          ConsistentRead: true,
          Limit: PAGE_ITEMS,
        },
      );
      const counts = new Map<string, number>();
      for await (const { Items = [] } of pages) {
        for (const entry of (Items as InvoiceRowItem[]).map(toEntry)) {
          const [counter, day] = [counterName(entry.place, entry.state), dayName(entry.place)];
          counts.set(counter, (counts.get(counter) ?? 0) + 1);
          counts.set(day, addFingerprints(counts.get(day) ?? NO_FINGERPRINT, entryFingerprint(entry)));
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
