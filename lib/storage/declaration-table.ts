import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import { batchGet } from './batch-get.ts';
import { declarationPartition, type Key } from './keys.ts';

/** Reads the declaration history. */
export interface DeclarationTable {
  /** Who made the current declaration of each of up to 100 invoices, by invoice id; undeclared ones are left out. */
  readonly declaredBy: (scope: SupplierScope, invoices: readonly Invoice[]) => Promise<Map<string, string>>;
}

/** The repository of Declarations. */
export function createDeclarationTable(client: DynamoDBDocumentClient, table: string): DeclarationTable {
  return {
    async declaredBy(scope, invoices) {
      const invoiceIds = new Map<string, string>();
      const keys = invoices.flatMap(({ invoiceId, declaration }) => {
        if (!declaration) return [];
        const pk = declarationPartition(scope, invoiceId);
        invoiceIds.set(pk, invoiceId);
        // The sort key of this table is a number.
        return [{ pk, sk: declaration.revision } as unknown as Key];
      });
      const items = (await batchGet(client, table, keys)) as (Key & { declared_by: string })[];
      return new Map(items.map((item) => [invoiceIds.get(item.pk) ?? '', item.declared_by]));
    },
  };
}
