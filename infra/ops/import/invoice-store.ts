import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { createDeclarationTable } from '../../../lib/storage/declaration-table.ts';
import { createInvoiceTable } from '../../../lib/storage/invoice-table.ts';
import { createInvoiceTransaction } from '../../../lib/storage/invoice-transaction.ts';
import type { InvoiceStore } from './import-supplier.ts';
import { IMPORTER, type StoredInvoice } from './merge-record.ts';

const MAX_READ = 100;

/** Invoices, with the history that tells whose declarations they carry. */
export function createInvoiceStore(
  client: DynamoDBDocumentClient,
  tables: { invoices: string; declarations: string },
): InvoiceStore {
  const invoices = createInvoiceTable(client, tables.invoices);
  const declarations = createDeclarationTable(client, tables.declarations);

  async function readSome(scope: SupplierScope, invoiceIds: readonly string[]): Promise<StoredInvoice[]> {
    const found = await invoices.getMany(scope, invoiceIds);
    const declaredBy = await declarations.declaredBy(scope, [...found.values()]);
    return invoiceIds.map((id) => {
      const invoice = found.get(id) ?? null;
      return { invoice, declaredHere: Boolean(invoice?.declaration) && declaredBy.get(id) !== IMPORTER };
    });
  }

  return {
    async read(scope, invoiceIds) {
      const parts = Array.from({ length: Math.ceil(invoiceIds.length / MAX_READ) }, (_, part) =>
        readSome(scope, invoiceIds.slice(part * MAX_READ, (part + 1) * MAX_READ)),
      );
      return (await Promise.all(parts)).flat();
    },
    commit: createInvoiceTransaction(client, tables),
  };
}
