import { DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient, PutCommandInput, TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { NothingWritten } from '../../domain/errors.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import { DeadlineError } from '../../runtime/deadline.ts';
import { newUuid } from '../../runtime/ids.ts';
import { attempts } from '../../runtime/attempts.ts';
import type { DeclarationStore } from '../../services/declare-amounts.ts';
import type { Commit, InvoiceChange, TransactionCost, TransactionLimits } from '../../services/transactions.ts';
import { itemBytes } from '../dynamodb/item-size.ts';
import { transact } from '../dynamodb/transact.ts';
import { countedMonths, counterUpdates } from '../items/day-counters.ts';
import { fromRevision, fromStateChange, requestItems } from '../items/history-items.ts';
import { fromInvoice, type InvoiceItem, rowsLeft, rowsOf, toInvoice } from '../items/invoice-items.ts';
import { COUNTER_SHARDS, requestPartition } from '../items/keys.ts';
import { createInvoiceTable } from './invoice-table.ts';

/** How many transactions of one supplier can run side by side without meeting at a counter. */
export const PARALLEL_TRANSACTIONS = COUNTER_SHARDS;

/** The tables that a transaction writes to. */
interface WrittenTables {
  readonly invoices: string;
  readonly declarations: string;
}

/** Where invoices are read and their declarations written. */
export function createDeclarationStore(client: DynamoDBDocumentClient, tables: WrittenTables) {
  return {
    getMany: createInvoiceTable(client, tables.invoices).getMany,
    commit: createInvoiceTransaction(client, tables),
    costOf: costOfChange,
    limits: TRANSACTION_LIMITS,
  } satisfies DeclarationStore;
}

/**
 * Writes invoices with their rows, histories and day counters, all or nothing, on the condition that no invoice has
 * changed since it was read.
 */
export function createInvoiceTransaction(client: DynamoDBDocumentClient, tables: WrittenTables): Commit<InvoiceChange> {
  return async (scope, changes, shard) => {
    const revisions = changes.flatMap((change) => change.revisions);
    const writes: TransactWriteCommandInput['TransactItems'] = [
      ...changes.flatMap((change) => [
        putInvoice(tables.invoices, scope, change),
        ...moveRows(tables.invoices, scope, change),
      ]),
      ...revisions.map((revision) => putEntry(tables.declarations, fromRevision(scope, revision))),
      ...requestItems(scope, revisions).map((item) => putEntry(tables.declarations, item)),
      ...changes.flatMap(({ stateChange }) =>
        stateChange ? [putEntry(tables.invoices, fromStateChange(scope, stateChange))] : [],
      ),
      ...counterUpdates(scope, changes, shard).map((update) => ({ Update: { TableName: tables.invoices, ...update } })),
    ];
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
        return { kind: 'conflict', current: result.current.map((item) => toInvoice(item as InvoiceItem)) };
      } catch (error) {
        const isNothingWritten = error instanceof TransactionCanceledException || (isRefusal(error) && !mayBeDone);
        throw isNothingWritten ? new NothingWritten(error) : error;
      }
    }
    throw new Error('It is not known whether the transaction was done.');
  };
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

// This condition keeps a history append-only. What meets a request's entry under its number is tried again as after a
// lost race, and gets another number.
function putEntry(TableName: string, Item: PutCommandInput['Item']) {
  return { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' } };
}

/**
 * What one transaction of DynamoDB may hold. A month has at most 217 counters of 11 bytes each, 31 fingerprints of 15,
 * and their key; what a request names takes no more than 100 times 32 bytes, and its key.
 */
export const TRANSACTION_LIMITS: TransactionLimits = { writes: 100, bytes: 4 * 1024 * 1024, sharedBytes: 4000 };

/** What the change of an invoice, with its histories, takes of a transaction. */
export function costOfChange(scope: SupplierScope, change: InvoiceChange): TransactionCost {
  const items = [
    fromInvoice(scope, change.after),
    ...rowsOf(scope, change.after),
    ...rowsLeft(scope, change),
    ...change.revisions.map((revision) => fromRevision(scope, revision)),
    ...(change.stateChange ? [fromStateChange(scope, change.stateChange)] : []),
  ];
  return {
    writes: items.length,
    bytes: items.reduce((sum, item) => sum + itemBytes(item), 0),
    shared: [...countedMonths(change), ...change.revisions.map(({ requestId }) => requestPartition(requestId))],
  };
}
