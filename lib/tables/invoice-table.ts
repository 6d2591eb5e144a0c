import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import { batchGet, getItem } from './dynamodb/reads.ts';
import type { TableClient } from './dynamodb/table-client.ts';
import { type InvoiceItem, toVisibleInvoice } from './invoice-items.ts';
import { buildInvoiceKey, isStorableId } from './keys.ts';

/** Creates the reader of invoices by id for requests of suppliers. All reads are strongly consistent. */
export function createInvoiceTable(client: TableClient, table: string) {
  return {
    /** Reads an invoice. Returns null if the invoice does not exist or is withdrawn. */
    get: async (scope: SupplierScope, invoiceId: string): Promise<Invoice | null> => {
      if (!isStorableId(invoiceId)) return null;
      const item = await getItem<InvoiceItem>(client, table, buildInvoiceKey(scope, invoiceId));
      return item ? toVisibleInvoice(item) : null;
    },

    /** Reads invoices by id. Omits invoices that do not exist or are withdrawn. */
    getMany: async (scope: SupplierScope, invoiceIds: readonly string[]): Promise<Map<string, Invoice>> => {
      const keys = [...new Set(invoiceIds)].filter(isStorableId).map((id) => buildInvoiceKey(scope, id));
      const invoices = (await batchGet<InvoiceItem>(client, table, keys)).map(toVisibleInvoice);
      return new Map(invoices.filter((invoice) => invoice !== null).map((invoice) => [invoice.invoiceId, invoice]));
    },
  };
}
