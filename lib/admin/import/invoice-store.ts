import { IMPORTER } from '../../domain/declaration.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import type { AdminPorts } from '../ports/admin-ports.ts';
import type { InvoiceStore } from './import-supplier.ts';
import type { StoredInvoice } from './merge-record.ts';

const MAX_READ = 100;

/** Invoices, with the history that tells whose declarations they carry. */
export function createInvoiceStore({
  invoices,
  invoiceWriter,
  declarations,
}: Pick<AdminPorts, 'invoices' | 'invoiceWriter' | 'declarations'>): InvoiceStore {
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
    ...invoiceWriter,
    async read(scope, invoiceIds) {
      const parts = Array.from({ length: Math.ceil(invoiceIds.length / MAX_READ) }, (_, part) =>
        readSome(scope, invoiceIds.slice(part * MAX_READ, (part + 1) * MAX_READ)),
      );
      return (await Promise.all(parts)).flat();
    },
  };
}
