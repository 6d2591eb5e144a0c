import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { createInvoiceTable } from '../../../lib/storage/invoices/invoice-table.ts';
import { createInvoiceTransaction } from '../../../lib/storage/invoices/invoice-transaction.ts';
import type { TestEngine } from '../engine/engine.ts';

/** Changes an invoice as it is now, as the service would; says whether nobody else did meanwhile. */
export async function changeInvoice(
  { client, tables }: TestEngine,
  scope: SupplierScope,
  invoiceId: string,
  overrides: Partial<Invoice>,
  shard = 0,
): Promise<boolean> {
  const before = await createInvoiceTable(client, tables.Invoices).get(scope, invoiceId);
  if (!before) throw new Error(`There is no invoice ${invoiceId}.`);
  const after = { ...before, ...overrides, version: before.version + 1 };
  const commit = createInvoiceTransaction(client, { invoices: tables.Invoices, declarations: tables.Declarations });
  return (await commit(scope, [{ before, after, revisions: [] }], shard)).kind === 'committed';
}
