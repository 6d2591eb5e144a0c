import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { SupplierScope } from '../../domain/invoice.ts';
import { type ListEntry, listEntryOf, monthOf } from '../../domain/list-entry.ts';
import { addFingerprints, NO_FINGERPRINT } from '../../runtime/fingerprints.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import type { Key } from '../dynamodb/key.ts';
import { itemsOf, PAGE_ITEMS } from '../dynamodb/paged-items.ts';
import { transact } from '../dynamodb/transact.ts';
import { readCounters } from '../invoices/counter-reads.ts';
import { CHANGES, counterName, counterUpdate, dayName, entryFingerprint, sumsOf } from '../items/day-counters.ts';
import { type InvoiceItem, toInvoice } from '../items/invoice-items.ts';
import { type InvoiceRowItem, toEntry } from '../items/invoice-row-items.ts';
import {
  COUNTER_SHARDS,
  counterMonth,
  counterSortKey,
  invoiceKey,
  invoicePartition,
  rowPartition,
  rowPrefix,
} from '../items/keys.ts';
import { invoiceOfRow } from './audited-rows.ts';

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
  /** The months that have counters, oldest first. The service never deletes counters. */
  readonly months: (scope: SupplierScope) => Promise<string[]>;
  readonly read: (scope: SupplierScope, month: string) => Promise<StoredCounters>;
  /**
   * Counts the rows of a month, page by page; of invoices whose rows are not to be trusted, it counts the invoices
   * themselves.
   */
  readonly recount: (scope: SupplierScope, month: string, distrusted: ReadonlySet<string>) => Promise<MonthCounts>;
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
  const pagesOf = (condition: string, values: Record<string, string>, ProjectionExpression: string) =>
    paginateQuery(
      { client },
      {
        TableName: table,
        KeyConditionExpression: condition,
        ExpressionAttributeValues: values,
        ProjectionExpression,
        ConsistentRead: true,
        Limit: PAGE_ITEMS,
      },
    );

  async function* entriesOf(scope: SupplierScope, invoiceIds: ReadonlySet<string>): AsyncGenerator<ListEntry> {
    const keys = [...invoiceIds].map((invoiceId) => invoiceKey(scope, invoiceId));
    for (let start = 0; start < keys.length; start += PAGE_ITEMS) {
      const items = await batchGet<InvoiceItem>(client, table, keys.slice(start, start + PAGE_ITEMS));
      yield* items.map((item) => listEntryOf(toInvoice(item)));
    }
  }

  return {
    async months(scope) {
      const bounds = { ':first': counterSortKey('', 0), ':last': counterSortKey(LAST, 0) };
      const values = { ':pk': invoicePartition(scope), ...bounds };
      const items = await itemsOf<Key>(pagesOf('pk = :pk AND sk BETWEEN :first AND :last', values, 'sk'));
      return [...new Set(items.map(({ sk }) => counterMonth(sk)))].toSorted();
    },

    async read(scope, month) {
      const items = await readCounters(client, table, scope, month, month);
      const sums = sumsOf(items);
      const changes = Array.from({ length: COUNTER_SHARDS }, (_, shard) => {
        const item = items.find(({ sk }) => sk?.S === counterSortKey(month, shard));
        return Number(item?.[CHANGES]?.N ?? 0);
      });
      return { sums, changes };
    },

    async recount(scope, month, distrusted) {
      const counts = new Map<string, number>();
      const count = (entry: ListEntry) => {
        const [counter, day] = [counterName(entry.position, entry.state), dayName(entry.position)];
        counts.set(counter, (counts.get(counter) ?? 0) + 1);
        counts.set(day, addFingerprints(counts.get(day) ?? NO_FINGERPRINT, entryFingerprint(entry)));
      };
      const values = { ':pk': rowPartition(scope, month), ':all': rowPrefix(null) };
      const names = 'sk, invoice_id, state_code, search_text';
      for await (const { Items = [] } of pagesOf('pk = :pk AND begins_with(sk, :all)', values, names)) {
        for (const row of Items as InvoiceRowItem[]) if (!distrusted.has(invoiceOfRow(row))) count(toEntry(row));
      }
      for await (const entry of entriesOf(scope, distrusted)) if (monthOf(entry.position) === month) count(entry);
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
      return (await transact(client, { TransactItems: writes }, { overloadIsConflict: true })).kind === 'committed';
    },
  };
}
