import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../runtime/env.ts';
import { createInvoiceTable } from '../storage/invoice-table.ts';
import { createInvoiceTransaction } from '../storage/invoice-transaction.ts';
import type { DeclarationStore } from '../usecases/declare-batch.ts';

/** Where declarations are written, over the tables named in the environment. */
export function declarationStore(client: DynamoDBDocumentClient): DeclarationStore {
  const tables = { invoices: tableName('INVOICES'), declarations: tableName('DECLARATIONS') };
  return {
    getMany: createInvoiceTable(client, tables.invoices).getMany,
    commit: createInvoiceTransaction(client, tables),
  };
}
