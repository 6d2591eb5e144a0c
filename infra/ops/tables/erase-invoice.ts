import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { type AttemptLimits, limitedAttempts } from '../../../lib/runtime/attempts.ts';
import { collectPages, splitIntoChunks } from '../../../lib/runtime/pages.ts';
import { buildPartitionCondition, type Key, queryPages } from '../../../lib/tables/dynamodb/reads.ts';
import type { StoredNumber } from '../../../lib/tables/dynamodb/values.ts';
import { sendTransaction, type Writes } from '../../../lib/tables/dynamodb/transactions.ts';
import { type InvoiceItem, toInvoice } from '../../../lib/tables/invoice-items.ts';
import type { InvoiceTables } from '../../../lib/tables/invoice-transaction.ts';
import { buildUnchangedCondition, TRANSACTION_LIMITS } from '../../../lib/tables/invoice-transaction.ts';
import { buildHistoryPartition, buildInvoiceKey } from '../../../lib/tables/keys.ts';

type ConditionCheck = NonNullable<Writes[number]['ConditionCheck']>;

const RETRIES: AttemptLimits = { maxAttempts: 12, firstMs: 20, longestMs: 1000 };

/**
 * Creates the function that erases an invoice with its history. The function returns false if the invoice has changed
 * since it was read. After an interruption, the invoice still exists, so that another run finds what remains.
 */
export function createInvoiceEraser(client: DynamoDBDocumentClient, tables: InvoiceTables) {
  return async (scope: SupplierScope, item: InvoiceItem): Promise<boolean> => {
    const invoiceKey = buildInvoiceKey(scope, item.sk);
    const condition = buildUnchangedCondition(toInvoice(item));
    const invoiceIfUnchanged = { TableName: tables.invoices, Key: invoiceKey, ...condition };
    for await (const _ of limitedAttempts(RETRIES)) {
      const keys = await readHistoryKeys(client, tables.declarations, buildHistoryPartition(scope, item.sk));
      const deletes: Writes = keys.map((Key) => ({ Delete: { TableName: tables.declarations, Key } }));
      const outcome = await sendDeletes(client, invoiceIfUnchanged, deletes);
      if (outcome !== 'retry') return outcome === 'written';
    }
    throw new Error('The invoice or its history kept changing, or the tables are throttled. Run the command again.');
  };
}

async function readHistoryKeys(client: DynamoDBDocumentClient, TableName: string, partition: string) {
  const query = { TableName, ...buildPartitionCondition(partition), ProjectionExpression: 'pk, sk' };
  return collectPages(queryPages<Key<StoredNumber>>(client, query));
}

/**
 * Sends deletes in transactions that begin with the condition on the invoice. The last one also deletes the invoice.
 * Stops at the first failure. Returns `changed` if the condition on the invoice has failed.
 */
async function sendDeletes(
  client: DynamoDBDocumentClient,
  invoiceIfUnchanged: ConditionCheck,
  deletes: Writes,
): Promise<'written' | 'changed' | 'retry'> {
  const chunks = splitIntoChunks(deletes, TRANSACTION_LIMITS.writes - 1);
  const lastChunk = chunks.pop() ?? [];
  const transactions = chunks.map((chunk): Writes => [{ ConditionCheck: invoiceIfUnchanged }, ...chunk]);
  for (const TransactItems of [...transactions, [{ Delete: invoiceIfUnchanged }, ...lastChunk]]) {
    const outcome = await sendTransaction(client, { TransactItems }, { isOverloadConflict: true });
    if (outcome.kind === 'committed') continue;
    const hasChanged = outcome.failedWrites.some(({ index, isConditionFailed }) => index === 0 && isConditionFailed);
    return hasChanged ? 'changed' : 'retry';
  }
  return 'written';
}
