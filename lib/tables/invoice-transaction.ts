import { DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { WriteRejectedError } from '../domain/errors.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import { DeadlineError } from '../runtime/request-scope.ts';
import { newUuid } from '../runtime/ids.ts';
import { attempts } from '../runtime/attempts.ts';
import type { DeclarationStore } from '../invoices/declare-amounts.ts';
import type {
  Commit,
  InvoiceChange,
  LogPosition,
  TransactionCost,
  TransactionLimits,
} from '../invoices/transactions.ts';
import { computeItemBytes } from './dynamodb/values.ts';
import type { Key } from './dynamodb/reads.ts';
import { type FailedWrite, sendTransaction, type Writes } from './dynamodb/writes.ts';
import { findCountedMonths, buildCounterUpdates } from './day-counters.ts';
import { buildDeclarationItems, fromRevision, fromStateChange } from './history-items.ts';
import {
  fromInvoice,
  getStoredKey,
  type InvoiceItem,
  findStaleRowKeys,
  buildRows,
  toInvoice,
} from './invoice-items.ts';
import { buildWithdrawnKey, COUNTER_SHARDS, isLogKey, LOG_SHARDS, parseInvoiceSortKey } from './keys.ts';
import { createInvoiceTable } from './invoice-table.ts';
import { createSequenceAllocator, type LoggedOutcome } from './declaration-table.ts';

/** The number of parallel transactions of one supplier that have no conflict if each uses another counter shard. */
export const PARALLEL_TRANSACTIONS = COUNTER_SHARDS;

// The number of invoices in one transaction if each invoice is declared once.
const DECLARATIONS_PER_TRANSACTION = 18;

interface TableNames {
  readonly invoices: string;
  readonly declarations: string;
}

/** Creates the store that reads invoices and writes their declarations. */
export function createDeclarationStore(client: DynamoDBDocumentClient, tables: TableNames) {
  const allocator = createSequenceAllocator(client, tables.declarations);
  const { getMany } = createInvoiceTable(client, tables.invoices);
  return {
    async getMany(scope, invoiceIds) {
      const transactions = Math.ceil(invoiceIds.length / DECLARATIONS_PER_TRANSACTION);
      // Sequence numbers are read in parallel with invoices. If this fails, each transaction reads its own number.
      const preparation = allocator.prepare(scope.tenant, transactions).catch(() => undefined);
      const [invoices] = await Promise.all([getMany(scope, invoiceIds), preparation]);
      return invoices;
    },
    commit: createInvoiceTransaction(client, tables, allocator),
    computeCost: computeChangeCost,
    limits: TRANSACTION_LIMITS,
  } satisfies DeclarationStore;
}

/**
 * Creates the function that writes invoices with their rows, histories and day counters in one transaction. Nothing is
 * written if an invoice has changed since it was read. If another transaction uses the same sequence number of the log,
 * the transaction is repeated in another shard.
 */
export function createInvoiceTransaction(
  client: DynamoDBDocumentClient,
  tables: TableNames,
  allocator = createSequenceAllocator(client, tables.declarations),
): Commit<InvoiceChange> {
  return async (scope, changes, shard) => {
    const revisions = changes.flatMap((change) => change.revisions);
    const invoiceWrites = changes.flatMap((change) => buildInvoiceWrites(tables.invoices, scope, change));
    const counterWrites = buildCounterUpdates(scope, changes, shard).map((update) => ({
      Update: { TableName: tables.invoices, ...update },
    }));
    const writes: Writes = [...invoiceWrites, ...counterWrites];
    if (revisions.length === 0) return writeAll(client, writes);

    const entryCount = new Set(revisions.map(({ requestId }) => requestId)).size;
    for await (const _ of attempts()) {
      const outcome = await allocator.addEntries(scope.tenant, entryCount, (first, listItems) => {
        const items = [...buildDeclarationItems(scope, revisions, first), ...listItems];
        return writeAll(client, [...writes, ...items.map((item) => buildEntryPut(tables.declarations, item))]);
      });
      // A conflict on the sequence number changes no invoice. After other conflicts, the caller plans the changes again.
      if (outcome.kind === 'committed' || !outcome.isNumberTaken || outcome.current.size > 0) return outcome;
    }
    throw new WriteRejectedError(new Error('Other declarations used the next numbers of the log first.'));
  };
}

/** Sends a transaction until its result is known. Throws WriteRejectedError if the write was rejected or not sent. */
async function writeAll(client: DynamoDBDocumentClient, writes: Writes): Promise<LoggedOutcome> {
  // All attempts have the same token. After a success, DynamoDB confirms the next attempt without a second write.
  const transaction = { TransactItems: writes, ClientRequestToken: newUuid() };
  let isPossiblyWritten = false;
  for await (const _ of attempts()) {
    try {
      const result = await sendTransaction(client, transaction, { isOverloadConflict: true });
      if (result.kind === 'committed') return { kind: 'committed' };
      // The client repeats a call whose response was lost. The lost call can have succeeded.
      if (result.attempts > 1) isPossiblyWritten = true;
      // Without a failed condition, the result of the lost call is unknown, so another attempt is necessary.
      if (isPossiblyWritten && !result.failedWrites.some((write) => write.isConditionFailed)) continue;
      return toConflict(writes, result.failedWrites);
    } catch (error) {
      const isRejected = error instanceof TransactionCanceledException || (isRejection(error) && !isPossiblyWritten);
      throw isRejected ? new WriteRejectedError(error) : error;
    }
  }
  throw new Error('It is not known whether the transaction was done.');
}

/**
 * Builds the result of a transaction with a conflict. The writes of invoices request the current item. If the condition
 * of such a write failed without an item, the invoice is gone. Other writes are ignored, except those of the log.
 */
function toConflict(writes: Writes, failedWrites: readonly FailedWrite[]): LoggedOutcome {
  const current = new Map<string, Invoice | null>();
  let isNumberTaken = false;
  for (const { index, isConditionFailed, current: item } of failedWrites) {
    const { Put, Delete } = writes[index] ?? {};
    const key = (Put?.Item ?? Delete?.Key) as Key | undefined;
    if (key && isLogKey(key)) isNumberTaken = true;
    if (!(Put ?? Delete)?.ReturnValuesOnConditionCheckFailure || !key || !isConditionFailed) continue;
    current.set(parseInvoiceSortKey(key.sk).invoiceId, item ? toInvoice(item as InvoiceItem) : null);
  }
  return { kind: 'conflict', current, isNumberTaken };
}

/** True if DynamoDB rejected the content of a write, or if the write was not sent before the deadline. */
function isRejection(error: unknown): error is Error {
  if (error instanceof DeadlineError) return !error.hasCallBegun;
  return error instanceof DynamoDBServiceException && error.name === 'ValidationException';
}

// The size of a change is computed before the change is written. Its items are built once for both.
const builtItems = new WeakMap<InvoiceChange, { readonly item: InvoiceItem; readonly rows: readonly Key[] }>();

function getItems(scope: SupplierScope, change: InvoiceChange) {
  const cachedItems = builtItems.get(change);
  if (cachedItems) return cachedItems;
  const { after } = change;
  const items = { item: fromInvoice(scope, after), rows: after.isWithdrawn ? [] : buildRows(scope, after) };
  builtItems.set(change, items);
  return items;
}

function buildInvoiceWrites(TableName: string, scope: SupplierScope, change: InvoiceChange): Writes {
  const { stateChange } = change;
  const { item, rows } = getItems(scope, change);
  return [
    ...buildItemWrites(TableName, scope, change, item),
    // Rows have no conditions, because the condition on the invoice is enough for the whole transaction.
    ...findStaleRowKeys(scope, change).map((Key) => ({ Delete: { TableName, Key } })),
    ...rows.map((Item) => ({ Put: { TableName, Item } })),
    ...(stateChange ? [buildEntryPut(TableName, fromStateChange(scope, stateChange))] : []),
  ];
}

/**
 * Builds the writes of the item of an invoice. Their conditions are that the invoice has not changed since it was read,
 * and that it is stored at only one key: a new invoice is not withdrawn, and a moved invoice is not at its new key.
 */
function buildItemWrites(
  TableName: string,
  scope: SupplierScope,
  { before, after }: InvoiceChange,
  Item: InvoiceItem,
): Writes {
  const put = { TableName, Item };
  const returnExisting = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  const isUnchanged = { ...buildUnchangedCondition(before), ...returnExisting };
  const isAbsent = buildUnchangedCondition(null);
  if (!before) {
    const isNotWithdrawn = { TableName, Key: buildWithdrawnKey(scope, after.invoiceId), ...isAbsent };
    return [{ Put: { ...put, ...isUnchanged } }, { ConditionCheck: isNotWithdrawn }];
  }
  if (before.isWithdrawn === after.isWithdrawn) return [{ Put: { ...put, ...isUnchanged } }];
  return [
    { Delete: { TableName, Key: getStoredKey(scope, before), ...isUnchanged } },
    { Put: { ...put, ...isAbsent, ...returnExisting } },
  ];
}

/** Builds the condition that an invoice still has the version that was read (null: that it still does not exist). */
export function buildUnchangedCondition(invoice: Invoice | null) {
  if (!invoice) return { ConditionExpression: 'attribute_not_exists(pk)' };
  return { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': invoice.version } };
}

/** Builds the write of a history or log entry. The write fails if the key exists, so that no number is used twice. */
function buildEntryPut(TableName: string, Item: Key<unknown>) {
  return { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' } };
}

/**
 * The limits of a DynamoDB transaction. One shared write is the counter item of a month, with up to 217 counters of 11
 * bytes and 31 fingerprints of 15 bytes. The other is the log entry of a request, with 32 bytes for each batch item. One
 * of the 100 writes that DynamoDB allows remains for the list of shards.
 */
export const TRANSACTION_LIMITS: TransactionLimits = { writes: 99, bytes: 4 * 1024 * 1024, sharedBytes: 4000 };

// The position with the most digits. It is used to compute the size of an entry before its position is known.
const LONGEST_POSITION: LogPosition = { shard: LOG_SHARDS.all, number: 9_999_999_999 };

/** Computes the part of a transaction that a change of an invoice uses, with the names of its shared writes. */
export function computeChangeCost(scope: SupplierScope, change: InvoiceChange): TransactionCost {
  const writtenItems = [
    ...buildInvoiceWrites('', scope, change).map(({ Put, Delete }) => Put?.Item ?? Delete?.Key ?? {}),
    ...change.revisions.map((revision) => fromRevision(scope, revision, LONGEST_POSITION)),
  ];
  return {
    writes: writtenItems.length,
    bytes: writtenItems.reduce((sum, item) => sum + computeItemBytes(item), 0),
    sharedWrites: [...findCountedMonths(change), ...change.revisions.map(({ requestId }) => `REQUEST#${requestId}`)],
  };
}
