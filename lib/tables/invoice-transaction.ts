import { DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient, TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { WriteRejectedError } from '../domain/errors.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import { DeadlineError } from '../runtime/request-scope.ts';
import { newUuid } from '../runtime/ids.ts';
import { attempts } from '../runtime/attempts.ts';
import type { DeclarationStore } from '../invoices/declare-amounts.ts';
import type {
  Commit,
  CommitOutcome,
  InvoiceChange,
  LogPosition,
  TransactionCost,
  TransactionLimits,
} from '../invoices/transactions.ts';
import { computeItemBytes } from './dynamodb/values.ts';
import type { Key } from './dynamodb/reads.ts';
import { sendTransaction } from './dynamodb/writes.ts';
import { findCountedMonths, buildCounterUpdates } from './day-counters.ts';
import { buildDeclarationItems, fromRevision, fromStateChange } from './history-items.ts';
import { fromInvoice, type InvoiceItem, findStaleRowKeys, buildRows, toInvoice } from './invoice-items.ts';
import { COUNTER_SHARDS, isLogKey, LOG_SHARDS } from './keys.ts';
import { createInvoiceTable } from './invoice-table.ts';
import { createSequenceAllocator } from './declaration-table.ts';

/** The number of transactions of one supplier that can run in parallel without a conflict at a counter. */
export const PARALLEL_TRANSACTIONS = COUNTER_SHARDS;

// The number of invoices in one transaction if each has one declaration.
const DECLARED_TOGETHER = 18;

interface WrittenTables {
  readonly invoices: string;
  readonly declarations: string;
}

/** Creates the store that reads invoices and writes their declarations. */
export function createDeclarationStore(client: DynamoDBDocumentClient, tables: WrittenTables) {
  const numbers = createSequenceAllocator(client, tables.declarations);
  const { getMany } = createInvoiceTable(client, tables.invoices);
  return {
    async getMany(scope, invoiceIds) {
      const transactions = Math.ceil(invoiceIds.length / DECLARED_TOGETHER);
      // It runs in parallel with the read. If it fails, the transaction reads the numbers itself.
      const prepare = numbers.prepare(scope.tenant, transactions).catch(() => undefined);
      const [invoices] = await Promise.all([getMany(scope, invoiceIds), prepare]);
      return invoices;
    },
    commit: createInvoiceTransaction(client, tables, numbers),
    computeCost: computeChangeCost,
    limits: TRANSACTION_LIMITS,
  } satisfies DeclarationStore;
}

/**
 * Creates the function that writes invoices with their rows, histories and day counters in one transaction, on the
 * condition that no invoice has changed since it was read, and that the sequence numbers in the log are free.
 */
export function createInvoiceTransaction(
  client: DynamoDBDocumentClient,
  tables: WrittenTables,
  numbers = createSequenceAllocator(client, tables.declarations),
): Commit<InvoiceChange> {
  return async (scope, changes, shard) => {
    const revisions = changes.flatMap((change) => change.revisions);
    const writes: Writes = [
      ...changes.flatMap((change) => buildWrites(tables.invoices, scope, change)),
      ...buildCounterUpdates(scope, changes, shard).map((update) => ({
        Update: { TableName: tables.invoices, ...update },
      })),
    ];
    if (revisions.length === 0) return writeAll(client, writes);

    const log = numbers.acquire(scope.tenant);
    try {
      const first = await log.next().catch((error: Error) => {
        throw new WriteRejectedError(error);
      });
      const items = buildDeclarationItems(scope, revisions, first);
      const outcome = await writeAll(client, [...writes, ...items.map((item) => putEntry(tables.declarations, item))]);
      if (outcome.kind === 'committed') log.setLatest(first.number + items.length - revisions.length - 1);
      else if (outcome.isNumberTaken) log.setLatest(null);
      return outcome;
    } finally {
      log.release();
    }
  };
}

type Writes = NonNullable<TransactWriteCommandInput['TransactItems']>;

/** The result of a transaction; `isNumberTaken`: another transaction has used its sequence number in the log. */
type Written = CommitOutcome & { readonly isNumberTaken?: boolean };

async function writeAll(client: DynamoDBDocumentClient, writes: Writes): Promise<Written> {
  // All attempts have one token. If an attempt succeeded but its response was lost, the next one succeeds too, without
  // a second write.
  const transaction = { TransactItems: writes, ClientRequestToken: newUuid() };
  let mayBeDone = false;
  for await (const _ of attempts()) {
    try {
      const result = await sendTransaction(client, transaction, { overloadIsConflict: true });
      if (result.kind === 'committed') return { kind: 'committed' };
      mayBeDone ||= result.attempts > 1;
      // A throttled attempt does not reveal the result of the attempt before. The next one does.
      if (mayBeDone && !result.conditionFailed) continue;
      const current = result.current as InvoiceItem[];
      const invoices = current.filter((item) => !isLogKey(item));
      return {
        kind: 'conflict',
        current: invoices.map(toInvoice),
        isNumberTaken: invoices.length < current.length,
      };
    } catch (error) {
      const isNothingWritten = error instanceof TransactionCanceledException || (isRefusal(error) && !mayBeDone);
      throw isNothingWritten ? new WriteRejectedError(error) : error;
    }
  }
  throw new Error('It is not known whether the transaction was done.');
}

/** True if a write was rejected for its content, or was not sent before the deadline. */
function isRefusal(error: unknown): error is Error {
  if (error instanceof DeadlineError) return !error.callBegun;
  return error instanceof DynamoDBServiceException && error.name === 'ValidationException';
}

/** Builds the writes of an invoice, its rows and its state history. */
function buildWrites(TableName: string, scope: SupplierScope, change: InvoiceChange): Writes {
  const { before, after, stateChange } = change;
  const unchanged = before
    ? { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': before.version } }
    : { ConditionExpression: 'attribute_not_exists(pk)' };
  const invoice = { TableName, Item: fromInvoice(scope, after), ...unchanged };
  return [
    { Put: { ...invoice, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } },
    // Rows need no conditions, because the condition on the invoice protects them too.
    ...findStaleRowKeys(scope, change).map((Key) => ({ Delete: { TableName, Key } })),
    ...buildRows(scope, after).map((Item) => ({ Put: { TableName, Item } })),
    ...(stateChange ? [putEntry(TableName, fromStateChange(scope, stateChange))] : []),
  ];
}

// The condition keeps histories append-only, and a sequence number for one transaction. A transaction whose number is
// taken is repeated with another one.
function putEntry(TableName: string, Item: Key<unknown>) {
  const taken = isLogKey(Item) && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
  return { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)', ...taken } };
}

/**
 * The limits of a DynamoDB transaction. A month has at most 217 counters of 11 bytes each, 31 fingerprints of 15 bytes,
 * and their key; the item of a request has its key and 32 bytes for each item of a batch.
 */
export const TRANSACTION_LIMITS: TransactionLimits = { writes: 100, bytes: 4 * 1024 * 1024, sharedBytes: 4000 };

// The longest position that an entry can have.
const LATE_POSITION: LogPosition = { shard: LOG_SHARDS, number: 9_999_999_999 };

/** Computes the part of a transaction that the change of an invoice needs, with its histories. */
export function computeChangeCost(scope: SupplierScope, change: InvoiceChange): TransactionCost {
  const revisions = change.revisions.map((revision) => fromRevision(scope, revision, LATE_POSITION));
  const written = buildWrites('', scope, change).map(({ Put, Delete }) => Put?.Item ?? Delete?.Key ?? {});
  const items = [...written, ...revisions];
  return {
    writes: items.length,
    bytes: items.reduce((sum, item) => sum + computeItemBytes(item), 0),
    shared: [...findCountedMonths(change), ...change.revisions.map(({ requestId }) => `REQUEST#${requestId}`)],
  };
}
