import { DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient, PutCommandInput, TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { DeclarationRevision } from '../../domain/declaration.ts';
import { NothingWritten } from '../../domain/errors.ts';
import type { StateChange } from '../../domain/invoice-state-change.ts';
import type { Invoice, SupplierScope } from '../../domain/invoice.ts';
import { DeadlineError } from '../../runtime/deadline.ts';
import { newUuid } from '../../runtime/ids.ts';
import { rounds } from '../../runtime/rounds.ts';
import type { CommitOutcome } from '../../services/declaration-writer.ts';
import { transact } from '../dynamodb/transact.ts';
import { counterUpdates } from '../items/day-counters.ts';
import { fromRevision } from '../items/declaration-items.ts';
import { fromInvoice, type InvoiceItem, toInvoice } from '../items/invoice-items.ts';
import { rowsLeft, rowsOf } from '../items/invoice-row-items.ts';
import { COUNTER_SHARDS } from '../items/keys.ts';
import { requestItems } from '../items/request-items.ts';
import { fromStateChange } from '../items/state-change-items.ts';

/** An invoice as it was read (null: it did not exist), as it becomes, and what its histories gain. */
export interface InvoiceChange {
  readonly before: Invoice | null;
  readonly after: Invoice;
  readonly revisions: readonly DeclarationRevision[];
  /** When no declaration changes the state: its revision tells the state that it leads to. */
  readonly stateChange?: StateChange | undefined;
}

/** How many transactions of one supplier can run side by side without meeting at a counter. */
export const PARALLEL_TRANSACTIONS = COUNTER_SHARDS;

/**
 * Writes invoices with their rows, histories and day counters, all or nothing, on the condition that no invoice has
 * changed since it was read. Throws NothingWritten when the table refuses the write. After any other error it is not
 * known whether the transaction was done.
 */
export type CommitInvoices = (
  scope: SupplierScope,
  changes: readonly InvoiceChange[],
  shard: number,
) => Promise<CommitOutcome>;

/** The transactions over Invoices and Declarations. */
export function createInvoiceTransaction(
  client: DynamoDBDocumentClient,
  tables: { invoices: string; declarations: string },
): CommitInvoices {
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
    for await (const _ of rounds()) {
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
