import { DeleteCommand, type DynamoDBDocumentClient, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { StateCode } from '../../../lib/domain/invoice-states.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { type AttemptLimits, limitedAttempts } from '../../../lib/runtime/attempts.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { collectPages, splitIntoChunks } from '../../../lib/runtime/pages.ts';
import type { InvoiceChange } from '../../../lib/invoices/transactions.ts';
import { buildCountersUnchanged, buildCounterUpdates, CHANGES } from '../../../lib/tables/day-counters.ts';
import {
  batchGet,
  buildPartitionCondition,
  buildPrefixCondition,
  type Key,
  MAX_KEYS,
  queryPages,
} from '../../../lib/tables/dynamodb/reads.ts';
import { type StoredNumber, toInteger } from '../../../lib/tables/dynamodb/values.ts';
import { type FailedWrite, sendTransaction } from '../../../lib/tables/dynamodb/writes.ts';
import {
  type HistoryItem,
  type LogItem,
  readLogPosition,
  type RevisionItem,
} from '../../../lib/tables/history-items.ts';
import {
  buildRows,
  findStaleRowKeys,
  getStoredKey,
  type InvoiceItem,
  toInvoice,
} from '../../../lib/tables/invoice-items.ts';
import { buildAllInvoicesConditions } from '../../../lib/tables/invoice-table.ts';
import { buildUnchangedCondition, TRANSACTION_LIMITS } from '../../../lib/tables/invoice-transaction.ts';
import {
  buildDeclarationPartition,
  buildInvoiceKey,
  buildInvoicePartition,
  buildLogPartition,
  buildRowPartition,
  buildStateChangePrefix,
  buildWithdrawnKey,
  COUNTER_PREFIX,
  parseCounterMonth,
  parseInvoiceSortKey,
  STATE_CHANGE_PREFIX,
} from '../../../lib/tables/keys.ts';

/** An invoice with its histories, as items with all attributes that are stored. */
export interface InvoiceRecord {
  readonly invoice: InvoiceItem;
  readonly declarations: readonly (RevisionItem & Key<StoredNumber>)[];
  readonly state_changes: readonly (HistoryItem & Key)[];
}

type CounterItem = Key & { readonly [CHANGES]: StoredNumber };

type Writes = NonNullable<TransactWriteCommandInput['TransactItems']>;

const PARALLEL_CALLS = 16;
const RETRIES: AttemptLimits = { maxAttempts: 12, firstMs: 20, longestMs: 1000 };

/** Creates the repository that reads, removes and restores invoices with their histories, rows and counters. */
export function createInvoiceRecords(
  client: DynamoDBDocumentClient,
  { Invoices, Declarations, DayIndexes }: Readonly<Record<'Invoices' | 'Declarations' | 'DayIndexes', string>>,
) {
  const readAll = <Item>(TableName: string, condition: object) =>
    collectPages(queryPages<Item>(client, { TableName, ...condition }));

  /**
   * Sends the writes of an invoice in one transaction or, if there are too many, its histories first. `itemWrites`
   * begins with the write of the invoice. `guard` checks the condition of this write in the other transactions.
   */
  async function sendWrites(guard: Writes[number], itemWrites: Writes, buildHistoryWrites: () => Promise<Writes>) {
    for await (const _ of limitedAttempts(RETRIES)) {
      const chunks = splitIntoChunks(await buildHistoryWrites(), TRANSACTION_LIMITS.writes - itemWrites.length);
      const lastChunk = chunks.pop() ?? [];
      let failedWrites: readonly FailedWrite[] | null = null;
      for (const TransactItems of [...chunks.map((chunk) => [guard, ...chunk]), [...itemWrites, ...lastChunk]]) {
        const result = await sendTransaction(client, { TransactItems }, { isOverloadConflict: true });
        failedWrites = result.kind === 'conflict' ? result.failedWrites : null;
        if (failedWrites) break;
      }
      if (failedWrites === null) return true;
      if (failedWrites.some(({ index, isConditionFailed }) => index === 0 && isConditionFailed)) return false;
    }
    throw new Error('An invoice or its histories kept changing, or the tables are throttled. Run the command again.');
  }

  /** Builds the writes that remove declarations from the log. The entries stay, so that the log has no gap. */
  async function buildLogWrites({ tenant, ...scope }: SupplierScope, declarations: InvoiceRecord['declarations']) {
    const owner = buildInvoicePartition({ tenant, ...scope });
    const removed = new Set(declarations.map(({ pk, sk }) => `${pk}#${toInteger(sk)}`));
    const positions = new Map(
      declarations.flatMap((item) => (item.logged === undefined ? [] : [[item.logged, readLogPosition(item)!]])),
    );
    const keys = Array.from(positions.values(), (position) => {
      return { pk: buildLogPartition(tenant, position.shard), sk: position.number };
    });
    const entries = await batchGet<LogItem>(client, Declarations, keys);
    return entries.flatMap((entry) => {
      const remaining = entry.declarations.filter((text) => entry.owner !== owner || !removed.has(`${owner}#${text}`));
      if (remaining.length === entry.declarations.length) return [];
      const { pk, sk } = entry;
      const put = {
        TableName: Declarations,
        Item: remaining.length > 0 ? { ...entry, declarations: remaining } : { pk, sk, declarations: [] },
        ConditionExpression: 'declarations = :before',
        ExpressionAttributeValues: { ':before': entry.declarations },
      };
      return [{ Put: put }];
    });
  }

  async function deleteItems(TableName: string, items: readonly Key[]) {
    await forEachConcurrent(items, PARALLEL_CALLS, async ({ pk, sk }) => {
      await client.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
    });
  }

  /** Deletes the counters of a month in one transaction, so that their sums are exact until then. */
  async function deleteCounters(counters: readonly CounterItem[]) {
    const TransactItems = counters.map(({ pk, sk, [CHANGES]: changes }) => ({
      Delete: { TableName: Invoices, Key: { pk, sk }, ...buildCountersUnchanged(changes) },
    }));
    const { kind } = await sendTransaction(client, { TransactItems });
    if (kind === 'conflict') throw new Error('Others are writing invoices of the supplier. Run the command again.');
  }

  /** Builds the writes that add an invoice to the day counters, or subtract an invoice that is removed. */
  const buildCounterWrites = (scope: SupplierScope, change: Pick<InvoiceChange, 'before' | 'after'>, shard: number) =>
    buildCounterUpdates(scope, [change], shard).map((update) => ({ Update: { TableName: Invoices, ...update } }));

  async function exists(scope: SupplierScope, invoiceId: string): Promise<boolean> {
    const keys = [buildInvoiceKey(scope, invoiceId), buildWithdrawnKey(scope, invoiceId)];
    return (await batchGet(client, Invoices, keys)).length > 0;
  }

  return {
    /** Yields the sort keys, dates and states of all invoices of a supplier, also of withdrawn ones. */
    async *list(
      scope: SupplierScope,
    ): AsyncGenerator<(Pick<InvoiceItem, 'sk' | 'sort_date'> & { state_code: StateCode })[], void> {
      const query = { TableName: Invoices, ProjectionExpression: 'sk, sort_date, state_code' };
      for (const condition of buildAllInvoicesConditions(scope)) yield* queryPages(client, { ...query, ...condition });
    },

    /** Yields invoices with all their histories, up to 100 at a time. Omits invoices that do not exist. */
    async *read(scope: SupplierScope, sortKeys: readonly string[]): AsyncGenerator<InvoiceRecord[], void> {
      const pk = buildInvoicePartition(scope);
      for (const chunk of splitIntoChunks(sortKeys, MAX_KEYS)) {
        const keys = chunk.map((sk) => ({ pk, sk }));
        const records: InvoiceRecord[] = [];
        await forEachConcurrent(
          await batchGet<InvoiceItem>(client, Invoices, keys),
          PARALLEL_CALLS,
          async (invoice) => {
            const { invoiceId } = parseInvoiceSortKey(invoice.sk);
            const declarations = buildPartitionCondition(buildDeclarationPartition(scope, invoiceId));
            const stateChanges = buildPrefixCondition({ pk, sk: buildStateChangePrefix(invoiceId) });
            records.push({
              invoice,
              declarations: await readAll(Declarations, declarations),
              state_changes: await readAll(Invoices, stateChanges),
            });
          },
        );
        yield records;
      }
    },

    /**
     * Removes an invoice with its histories, rows and counts, unless its version has changed since it was read. The log
     * of declarations keeps its entries without these declarations. Returns `absent` if the invoice does not exist.
     */
    async remove(
      scope: SupplierScope,
      record: InvoiceRecord,
      shard: number,
    ): Promise<'removed' | 'absent' | 'changed'> {
      const { invoice, declarations, state_changes: stateChanges } = record;
      const toKey = ({ pk, sk }: Key<unknown>) => ({ pk, sk });
      const before = toInvoice(invoice);
      const change = { before, after: { ...before, isWithdrawn: true } };
      const unchanged = { TableName: Invoices, Key: toKey(invoice), ...buildUnchangedCondition(before) };
      const deleteRows = findStaleRowKeys(scope, change).map((Key) => ({ Delete: { TableName: Invoices, Key } }));
      const historyDeletes = [
        ...declarations.map((item) => ({ Delete: { TableName: Declarations, Key: toKey(item) } })),
        ...stateChanges.map((item) => ({ Delete: { TableName: Invoices, Key: toKey(item) } })),
      ];
      const itemWrites = [{ Delete: unchanged }, ...deleteRows, ...buildCounterWrites(scope, change, shard)];
      const isRemoved = await sendWrites({ ConditionCheck: unchanged }, itemWrites, async () => [
        ...(await buildLogWrites(scope, declarations)),
        ...historyDeletes,
      ]);
      if (isRemoved) return 'removed';
      return (await exists(scope, before.invoiceId)) ? 'changed' : 'absent';
    },

    /** Writes an invoice back as it was read. Returns false, and writes nothing, if the invoice exists. */
    async restore(scope: SupplierScope, record: InvoiceRecord, shard: number): Promise<boolean> {
      const { invoice: item, declarations, state_changes: stateChanges } = record;
      const after = toInvoice(item);
      if (await exists(scope, after.invoiceId)) return false;
      const absent = buildUnchangedCondition(null);
      const [key, otherKey] = [after, { ...after, isWithdrawn: !after.isWithdrawn }].map((each) =>
        getStoredKey(scope, each),
      );
      const rows = after.isWithdrawn ? [] : buildRows(scope, after);
      // An entry that exists was written by an earlier run that was interrupted.
      const buildEntryPut = (TableName: string, Item: object, time: string) => ({
        Put: {
          TableName,
          Item,
          ConditionExpression: `attribute_not_exists(pk) OR ${time} = :time`,
          ExpressionAttributeValues: { ':time': (Item as Record<string, unknown>)[time] },
        },
      });
      const itemWrites = [
        { Put: { TableName: Invoices, Item: item, ...absent } },
        { ConditionCheck: { TableName: Invoices, Key: otherKey, ...absent } },
        ...rows.map((Item) => ({ Put: { TableName: Invoices, Item } })),
        ...buildCounterWrites(scope, { before: { ...after, isWithdrawn: true }, after }, shard),
      ];
      return sendWrites({ ConditionCheck: { TableName: Invoices, Key: key, ...absent } }, itemWrites, async () => [
        ...declarations.map((each) => buildEntryPut(Declarations, each, 'declared_at')),
        ...stateChanges.map((each) => buildEntryPut(Invoices, each, 'changed_at')),
      ]);
    },

    /** Deletes what remains of a supplier after its invoices: counters, indexes, and damaged rows and histories. */
    async removeRest(scope: SupplierScope): Promise<void> {
      const pk = buildInvoicePartition(scope);
      const counters = await readAll<CounterItem>(Invoices, buildPrefixCondition({ pk, sk: COUNTER_PREFIX }));
      const countersByMonth = Map.groupBy(counters, ({ sk }) => parseCounterMonth(sk));
      const rows = [...countersByMonth.keys()].map((month) => buildPartitionCondition(buildRowPartition(scope, month)));
      for (const condition of [...rows, buildPrefixCondition({ pk, sk: STATE_CHANGE_PREFIX })]) {
        await deleteItems(Invoices, await readAll<Key>(Invoices, condition));
      }
      await deleteItems(DayIndexes, await readAll<Key>(DayIndexes, buildPartitionCondition(pk)));
      // A counter that has changed stays, because counters show the months that have rows.
      for (const monthCounters of countersByMonth.values()) await deleteCounters(monthCounters);
    },
  };
}
