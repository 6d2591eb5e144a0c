import { DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { InvoiceChange } from '../domain/invoice-change.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import type { DeclarationStore } from '../invoices/declare-amounts.ts';
import type { CurrentInvoices, SendOutcome, TransactionCost } from '../invoices/transactions.ts';
import { attempts } from '../runtime/attempts.ts';
import { newUuid } from '../runtime/ids.ts';
import { DeadlineError } from '../runtime/request-scope.ts';
import type { Key } from './dynamodb/reads.ts';
import type { TableClient } from './dynamodb/table-client.ts';
import { computeItemBytes } from './dynamodb/values.ts';
import { type FailedWrite, sendTransaction, type Writes } from './dynamodb/transactions.ts';
import { buildHistoryItem } from './history-items.ts';
import { fromInvoice, type InvoiceItem, toVisibleInvoice } from './invoice-items.ts';
import { createInvoiceTable } from './invoice-table.ts';

/** The limits of a DynamoDB transaction. */
export const TRANSACTION_LIMITS: TransactionCost = { writes: 100, bytes: 4 * 1024 * 1024 };

export interface InvoiceTables {
  readonly invoices: string;
  readonly declarations: string;
}

/** Creates the store that reads invoices and writes their declarations. */
export function createDeclarationStore(client: TableClient, tables: InvoiceTables): DeclarationStore {
  return {
    getMany: createInvoiceTable(client, tables.invoices).getMany,
    commit: (scope, changes) => commitWrites(client, buildWrites(tables, scope, changes), toVisibleInvoice),
    computeCost: computeChangeCost,
    limits: TRANSACTION_LIMITS,
  };
}

/** Converts the current item of an invoice that has changed. */
type ToCurrent = (item: InvoiceItem) => Invoice | null;

/** Sends a transaction with the writes of `buildWrites` until its outcome is known, or until the deadline. */
export async function commitWrites(client: TableClient, writes: Writes, toCurrent: ToCurrent): Promise<SendOutcome> {
  // All attempts have the same token. After a success, DynamoDB confirms the next attempt without a second write.
  const transaction = { TransactItems: writes, ClientRequestToken: newUuid() };
  let isPossiblyWritten = false;
  try {
    for await (const _ of attempts()) {
      const result = await sendTransaction(client, transaction, { isOverloadConflict: true });
      if (result.kind === 'committed') return result;
      // The client repeats a call whose response was lost. The lost call can have succeeded.
      if (result.attempts > 1) isPossiblyWritten = true;
      const { failedWrites } = result;
      const isConditionFailed = failedWrites.some((write) => write.isConditionFailed);
      // Without a failed condition, the result of the lost call is unknown, so another attempt is necessary.
      if (isPossiblyWritten && !isConditionFailed) continue;
      return { kind: 'replan', current: findCurrent(writes, failedWrites, toCurrent) };
    }
    return { kind: 'unknown', cause: new DeadlineError({ hasCallBegun: true }) };
  } catch (error) {
    const cause = error instanceof Error ? error : new Error(String(error));
    const isRejected = cause instanceof TransactionCanceledException || (isRejection(cause) && !isPossiblyWritten);
    return { kind: isRejected ? 'reject' : 'unknown', cause };
  }
}

/** Finds the invoices that have changed since they were read. Only the writes of invoices request the current item. */
function findCurrent(writes: Writes, failedWrites: readonly FailedWrite[], toCurrent: ToCurrent): CurrentInvoices {
  const current = new Map<string, Invoice | null>();
  for (const { index, isConditionFailed, current: item } of failedWrites) {
    const { Put } = writes[index] ?? {};
    if (!Put?.ReturnValuesOnConditionCheckFailure || !isConditionFailed) continue;
    current.set((Put.Item as Key).sk, item ? toCurrent(item as InvoiceItem) : null);
  }
  return current;
}

/** True if DynamoDB rejected the content of a write, or if the write was not sent before the deadline. */
function isRejection(error: Error): boolean {
  if (error instanceof DeadlineError) return !error.hasCallBegun;
  return error instanceof DynamoDBServiceException && error.name === 'ValidationException';
}

/** Builds the writes of changes: each invoice, if it has not changed since it was read, and the item of its history. */
export function buildWrites(
  tables: InvoiceTables,
  scope: SupplierScope,
  changes: readonly InvoiceChange[],
  commandId?: string,
): Writes {
  return changes.flatMap((change): Writes => {
    const { before, after } = change;
    const invoice = before || commandId === undefined ? after : { ...after, createdBy: commandId };
    const Item = fromInvoice(scope, invoice);
    const returned = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
    const invoiceWrite = { Put: { TableName: tables.invoices, Item, ...buildUnchangedCondition(before), ...returned } };
    const historyItem = buildHistoryItem(scope, change, commandId);
    if (!historyItem) return [invoiceWrite];
    const historyWrite = { Put: { TableName: tables.declarations, Item: { ...historyItem }, ...ABSENT } };
    return [invoiceWrite, historyWrite];
  });
}

const ABSENT = { ConditionExpression: 'attribute_not_exists(pk)' };

/** Builds the condition that an invoice still has the version that was read (null: that it still does not exist). */
export function buildUnchangedCondition(invoice: Invoice | null) {
  if (!invoice) return ABSENT;
  return { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': invoice.version } };
}

// An upper bound of the id of the command, which is not yet known, in an invoice and in the item of its history.
const COMMAND_BYTES = 200;

/** Computes the part of a transaction that a change of an invoice uses. */
export function computeChangeCost(scope: SupplierScope, change: InvoiceChange): TransactionCost {
  const writes = buildWrites({ invoices: '', declarations: '' }, scope, [change]);
  const bytes = writes.reduce((sum, { Put }) => sum + computeItemBytes(Put?.Item ?? {}), COMMAND_BYTES);
  return { writes: writes.length, bytes };
}
