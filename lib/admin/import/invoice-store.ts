import type { SupplierScope } from '../../domain/invoice.ts';
import { createDeclarationTable } from '../../storage/declaration-table.ts';
import { createInvoiceTable } from '../../storage/invoice-table.ts';
import { createInvoiceTransaction } from '../../storage/invoice-transaction.ts';
import type { DataTarget } from '../data-target.ts';
import type { InvoiceStore } from './import-supplier.ts';
import { IMPORTER, type StoredInvoice } from './merge-record.ts';

const MAX_READ = 100;

/** Invoices, with the history that tells whose declarations they carry. */
export function createInvoiceStore({ client, tables }: DataTarget): InvoiceStore {
  const invoices = createInvoiceTable(client, tables.Invoices);
  const declarations = createDeclarationTable(client, tables.Declarations);

  async function readSome(scope: SupplierScope, invoiceIds: readonly string[]): Promise<StoredInvoice[]> {
    const found = await invoices.getMany(scope, invoiceIds);
    const places = [...found.values()].flatMap(({ invoiceId, declaration }) =>
      declaration ? [{ invoiceId, revision: declaration.revision }] : [],
    );
    const revisions = await declarations.revisions(scope, places);
    const imported = new Set(
      revisions.filter(({ declaredBy }) => declaredBy === IMPORTER).map(({ invoiceId }) => invoiceId),
    );
    return invoiceIds.map((id) => {
      const invoice = found.get(id) ?? null;
      return { invoice, declaredHere: Boolean(invoice?.declaration) && !imported.has(id) };
    });
  }

  return {
    async read(scope, invoiceIds) {
      const parts = Array.from({ length: Math.ceil(invoiceIds.length / MAX_READ) }, (_, part) =>
        readSome(scope, invoiceIds.slice(part * MAX_READ, (part + 1) * MAX_READ)),
      );
      return (await Promise.all(parts)).flat();
    },
    commit: createInvoiceTransaction(client, { invoices: tables.Invoices, declarations: tables.Declarations }),
  };
}
