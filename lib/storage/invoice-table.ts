import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import { batchGet } from './batch-get.ts';
import { type InvoiceItem, toInvoice } from './invoice-items.ts';
import { invoiceKey } from './keys.ts';

/** Reads a supplier's invoices by id, strongly consistent. */
export interface InvoiceTable {
  readonly get: (scope: SupplierScope, invoiceId: string) => Promise<Invoice | null>;
  /** Up to 100 invoices, by id; those that do not exist are left out. */
  readonly getMany: (scope: SupplierScope, invoiceIds: readonly string[]) => Promise<Map<string, Invoice>>;
}

/** The repository of Invoices. */
export function createInvoiceTable(client: DynamoDBDocumentClient, table: string): InvoiceTable {
  return {
    async get(scope, invoiceId) {
      const { Item } = await client.send(
        new GetCommand({ TableName: table, Key: invoiceKey(scope, invoiceId), ConsistentRead: true }),
      );
      return Item ? toInvoice(Item as InvoiceItem) : null;
    },
    async getMany(scope, invoiceIds) {
      const keys = [...new Set(invoiceIds)].map((id) => invoiceKey(scope, id));
      const items = (await batchGet(client, table, keys)) as InvoiceItem[];
      return new Map(items.map((item) => [item.sk, toInvoice(item)]));
    },
  };
}
