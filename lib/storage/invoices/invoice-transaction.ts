import { DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient, TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { NothingWritten } from '../../domain/errors.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import { DeadlineError } from '../../runtime/deadline.ts';
import { newUuid } from '../../runtime/ids.ts';
import { attempts } from '../../runtime/attempts.ts';
import type { DeclarationStore } from '../../services/declare-amounts.ts';
import type {
  Commit,
  CommitOutcome,
  InvoiceChange,
  LogPosition,
  TransactionCost,
  TransactionLimits,
} from '../../services/transactions.ts';
import { itemBytes } from '../dynamodb/item-size.ts';
import type { Key } from '../dynamodb/key.ts';
import { transact } from '../dynamodb/transact.ts';
import { countedMonths, counterUpdates } from '../items/day-counters.ts';
import { declarationItems, fromRevision, fromStateChange } from '../items/history-items.ts';
import { fromInvoice, type InvoiceItem, rowsLeft, rowsOf, toInvoice } from '../items/invoice-items.ts';
import { COUNTER_SHARDS, isLogKey, LOG_SHARDS } from '../items/keys.ts';
import { createInvoiceTable } from './invoice-table.ts';
import { createLogNumbers } from './log-numbers.ts';

/** How many transactions of one supplier can run side by side without meeting at a counter. */
export const PARALLEL_TRANSACTIONS = COUNTER_SHARDS;

// So many invoices are declared in one transaction, when each gains one revision.
const DECLARED_TOGETHER = 18;

/** The tables that a transaction writes to. */
interface WrittenTables {
  readonly invoices: string;
  readonly declarations: string;
}

/** Where invoices are read and their declarations written. */
export function createDeclarationStore(client: DynamoDBDocumentClient, tables: WrittenTables) {
  const numbers = createLogNumbers(client, tables.declarations);
  const { getMany } = createInvoiceTable(client, tables.invoices);
  return {
    async getMany(scope, invoiceIds) {
      const transactions = Math.ceil(invoiceIds.length / DECLARED_TOGETHER);
      // Beside the read, it takes no round trip; what fails here is done again by the transaction.
      const prepared = numbers.prepare(scope.tenant, transactions).catch(() => undefined);
      const invoices = await getMany(scope, invoiceIds);
      await prepared;
      return invoices;
    },
    commit: createInvoiceTransaction(client, tables, numbers),
    costOf: costOfChange,
    limits: TRANSACTION_LIMITS,
  } satisfies DeclarationStore;
}

/**
 * Writes invoices with their rows, histories and day counters, all or nothing, on the condition that no invoice has
 * changed since it was read, and that no other transaction has the same number in the log of declarations.
 */
export function createInvoiceTransaction(
  client: DynamoDBDocumentClient,
  tables: WrittenTables,
  numbers = createLogNumbers(client, tables.declarations),
): Commit<InvoiceChange> {
  return async (scope, changes, shard) => {
    const revisions = changes.flatMap((change) => change.revisions);
    const writes: Writes = [
      ...changes.flatMap((change) => [
        putInvoice(tables.invoices, scope, change),
        ...moveRows(tables.invoices, scope, change),
      ]),
      ...changes.flatMap(({ stateChange }) =>
        stateChange ? [putEntry(tables.invoices, fromStateChange(scope, stateChange))] : [],
      ),
      ...counterUpdates(scope, changes, shard).map((update) => ({ Update: { TableName: tables.invoices, ...update } })),
    ];
    if (revisions.length === 0) return writeAll(client, writes);

    const log = numbers.lend(scope.tenant);
    try {
      const first = await log.next().catch((error: Error) => {
        throw new NothingWritten(error);
      });
      const items = declarationItems(scope, revisions, first);
      const outcome = await writeAll(client, [...writes, ...items.map((item) => putEntry(tables.declarations, item))]);
      if (outcome.kind === 'committed') log.keep(first.number + items.length - revisions.length - 1);
      else if (outcome.isNumberTaken) log.keep(null);
      return outcome;
    } finally {
      log.giveBack();
    }
  };
}

type Writes = NonNullable<TransactWriteCommandInput['TransactItems']>;

/** What became of a transaction, and whether another one has its number in the log. */
type Written = CommitOutcome & { readonly isNumberTaken?: boolean };

async function writeAll(client: DynamoDBDocumentClient, writes: Writes): Promise<Written> {
  // One token for all attempts: when an attempt was done but its answer was lost, the next one is told that it is
  // done.
  const transaction = { TransactItems: writes, ClientRequestToken: newUuid() };
  let mayBeDone = false;
  for await (const _ of attempts()) {
    try {
      const result = await transact(client, transaction, { overloadIsConflict: true });
      if (result.kind === 'committed') return { kind: 'committed' };
      mayBeDone ||= result.attempts > 1;
      // Told to wait, we do not learn what became of the attempt before. The same transaction, sent again, tells.
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
      throw isNothingWritten ? new NothingWritten(error) : error;
    }
  }
  throw new Error('It is not known whether the transaction was done.');
}

/** Whether a write was refused for what it holds, or not begun in time. */
function isRefusal(error: unknown): error is Error {
  if (error instanceof DeadlineError) return !error.callBegun;
  return error instanceof DynamoDBServiceException && error.name === 'ValidationException';
}

function putInvoice(table: string, scope: SupplierScope, { before, after }: InvoiceChange) {
  const unchanged = before
    ? { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': before.version } }
    : { ConditionExpression: 'attribute_not_exists(pk)' };
  return {
    Put: {
      TableName: table,
      Item: fromInvoice(scope, after),
      ...unchanged,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    },
  };
}

// Without conditions: the one on the invoice holds for its rows, too.
function moveRows(TableName: string, scope: SupplierScope, { before, after }: InvoiceChange) {
  return [
    ...rowsLeft(scope, { before, after }).map((Key) => ({ Delete: { TableName, Key } })),
    ...rowsOf(scope, after).map((Item) => ({ Put: { TableName, Item } })),
  ];
}

// This condition keeps a history append-only, and a number of the log for one transaction. What meets another one
// there is tried again as after a lost race.
function putEntry(TableName: string, Item: Key<unknown>) {
  const taken = isLogKey(Item) && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
  return { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)', ...taken } };
}

/**
 * What one transaction of DynamoDB may hold. A month has at most 217 counters of 11 bytes each, 31 fingerprints of 15,
 * and their key; what a request names takes no more than 100 times 32 bytes, and its key.
 */
export const TRANSACTION_LIMITS: TransactionLimits = { writes: 100, bytes: 4 * 1024 * 1024, sharedBytes: 4000 };

// As long as any that will be.
const LATE_POSITION: LogPosition = { shard: LOG_SHARDS, number: 9_999_999_999 };

/** What the change of an invoice, with its histories, takes of a transaction. */
export function costOfChange(scope: SupplierScope, change: InvoiceChange): TransactionCost {
  const items = [
    fromInvoice(scope, change.after),
    ...rowsOf(scope, change.after),
    ...rowsLeft(scope, change),
    ...change.revisions.map((revision) => fromRevision(scope, revision, LATE_POSITION)),
    ...(change.stateChange ? [fromStateChange(scope, change.stateChange)] : []),
  ];
  return {
    writes: items.length,
    bytes: items.reduce((sum, item) => sum + itemBytes(item), 0),
    shared: [...countedMonths(change), ...change.revisions.map(({ requestId }) => `REQUEST#${requestId}`)],
  };
}
