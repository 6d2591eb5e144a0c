import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { SupplierScope } from '../../domain/invoice.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { type StoredNumber, toInteger } from '../dynamodb/numbers.ts';
import { beginningWith, queryPages } from '../dynamodb/paged-items.ts';
import type { HistoryItem } from '../items/history-items.ts';
import { declarationPartition, invoicePartition, STATE_CHANGES } from '../items/keys.ts';
import { revisionKeys } from './invoice-table.ts';

type Client = DynamoDBDocumentClient;

/** Yields the pages of all stored state changes of a supplier; those of one invoice are in order. */
export function storedStateChanges(client: Client, invoicesTable: string, scope: SupplierScope) {
  const query = beginningWith({ pk: invoicePartition(scope), sk: STATE_CHANGES });
  return queryPages<HistoryItem>(client, { TableName: invoicesTable, ...query });
}

/** Yields the pages of all stored declarations of a supplier; those of one invoice are in order. */
export async function* storedRevisions(
  client: Client,
  tables: Readonly<Record<'Invoices' | 'Declarations', string>>,
  scope: SupplierScope,
): AsyncGenerator<HistoryItem[], void> {
  for await (const keys of revisionKeys(client, tables.Invoices, scope)) {
    const stored = keys.map(({ invoiceId, revision }) => ({
      pk: declarationPartition(scope, invoiceId),
      sk: revision,
    }));
    const items = await batchGet<HistoryItem>(client, tables.Declarations, stored);
    yield items.toSorted((one, other) => readRevision(one) - readRevision(other));
  }
}

const readRevision = ({ sk }: HistoryItem) => toInteger(sk as StoredNumber);
