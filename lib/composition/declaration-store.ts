import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DeclarationContext } from '../domain/declaration.ts';
import type { SupplierRequest } from '../http/supplier-endpoint.ts';
import { tableName } from '../runtime/env.ts';
import { newEntityId } from '../runtime/ids.ts';
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

/** Who declares, when and under which tolerance, for a request that has passed every check. */
export function declarationContext({ caller, requestId, now }: SupplierRequest<unknown>): DeclarationContext {
  const { tolerance, userId } = caller;
  return { tolerance, userId, requestId, now, newDeclarationId: () => newEntityId(now) };
}
