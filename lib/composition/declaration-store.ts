import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../runtime/env.ts';
import { createDeclarationStore } from '../storage/invoices/invoice-transaction.ts';
import type { DeclarationStore } from '../services/declare-amounts.ts';

/** Where declarations are written, over the tables named in the environment. */
export function declarationStore(client: DynamoDBDocumentClient): DeclarationStore {
  return createDeclarationStore(client, { invoices: tableName('INVOICES'), declarations: tableName('DECLARATIONS') });
}
