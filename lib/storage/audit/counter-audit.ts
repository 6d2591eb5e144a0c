import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { CounterAudit } from '../../admin/ports/audits.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import { type ListEntry, listEntryOf, monthOf } from '../../domain/list-entry.ts';
import { addFingerprints, NO_FINGERPRINT } from '../../runtime/fingerprints.ts';
import { itemsOf } from '../../runtime/pages.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import type { Key } from '../dynamodb/key.ts';
import { beginningWith, between, PAGE_ITEMS, queryPages } from '../dynamodb/paged-items.ts';
import { transact } from '../dynamodb/transact.ts';
import { readCounters } from '../invoices/counter-reads.ts';
import { CHANGES, counterName, counterUpdate, dayName, entryFingerprint, sumsOf } from '../items/day-counters.ts';
import { type InvoiceItem, type InvoiceRowItem, toEntry, toInvoice } from '../items/invoice-items.ts';
import {
  COUNTER_SHARDS,
  counterMonth,
  counterSortKey,
  invoiceKey,
  invoicePartition,
  rowPartition,
  rowPrefix,
} from '../items/keys.ts';
import { invoiceOfRow } from './row-audit.ts';

// In a sort key, it sorts after everything that may follow a month.
const LAST = '~';

/** The auditors' repository of the day counters in Invoices. */
export function createCounterAudit(client: DynamoDBDocumentClient, TableName: string): CounterAudit {
  async function* entriesOf(scope: SupplierScope, invoiceIds: ReadonlySet<string>): AsyncGenerator<ListEntry> {
    const keys = [...invoiceIds].map((invoiceId) => invoiceKey(scope, invoiceId));
    for (let start = 0; start < keys.length; start += PAGE_ITEMS) {
      const items = await batchGet<InvoiceItem>(client, TableName, keys.slice(start, start + PAGE_ITEMS));
      yield* items.map((item) => listEntryOf(toInvoice(item)));
    }
  }

  return {
    async months(scope) {
      const counters = between(invoicePartition(scope), counterSortKey('', 0), counterSortKey(LAST, 0));
      const items = await itemsOf(queryPages<Key>(client, { TableName, ...counters, ProjectionExpression: 'sk' }));
      return [...new Set(items.map(({ sk }) => counterMonth(sk)))];
    },

    async read(scope, month) {
      const items = await readCounters(client, TableName, scope, month, month);
      const changes = Array.from({ length: COUNTER_SHARDS }, (_, shard) => {
        const item = items.find(({ sk }) => sk?.S === counterSortKey(month, shard));
        return Number(item?.[CHANGES]?.N ?? 0);
      });
      return { sums: sumsOf(items), changes };
    },

    async recount(scope, month, distrusted) {
      const counts = new Map<string, number>();
      const count = (entry: ListEntry) => {
        const [counter, day] = [counterName(entry.position, entry.state), dayName(entry.position)];
        counts.set(counter, (counts.get(counter) ?? 0) + 1);
        counts.set(day, addFingerprints(counts.get(day) ?? NO_FINGERPRINT, entryFingerprint(entry)));
      };
      const rows = {
        ...beginningWith({ pk: rowPartition(scope, month), sk: rowPrefix(null) }),
        ProjectionExpression: 'sk, state_code, search_text',
      };
      for await (const page of queryPages<InvoiceRowItem>(client, { TableName, ...rows })) {
        for (const row of page) if (!distrusted.has(invoiceOfRow(row.sk))) count(toEntry(row));
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
        return { Update: { TableName, ...update, ...asRead } };
      });
      return (await transact(client, { TransactItems: writes }, { overloadIsConflict: true })).kind === 'committed';
    },
  };
}
