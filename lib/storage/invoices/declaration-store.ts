import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DeclarationStore } from '../../services/declare-amounts.ts';
import { createInvoiceTable } from './invoice-table.ts';
import { createInvoiceTransaction } from './invoice-transaction.ts';
import { costOfChange, TRANSACTION_LIMITS } from './transaction-cost.ts';

/** Where invoices are read and their declarations written. */
export function createDeclarationStore(
  client: DynamoDBDocumentClient,
  tables: { invoices: string; declarations: string },
): DeclarationStore {
  return {
    getMany: createInvoiceTable(client, tables.invoices).getMany,
    commit: createInvoiceTransaction(client, tables),
    costOf: costOfChange,
    limits: TRANSACTION_LIMITS,
  };
}
