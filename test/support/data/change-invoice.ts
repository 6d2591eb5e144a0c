import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { createInvoiceTable } from '../../../lib/tables/invoice-table.ts';
import type { TestEngine } from '../engine/engine.ts';
import { transactionOf } from './seed-invoices.ts';

/** Changes an invoice as it is now, as the service would; says whether nobody else did meanwhile. */
export async function changeInvoice(
  engine: TestEngine,
  scope: SupplierScope,
  invoiceId: string,
  overrides: Partial<Invoice>,
  shard = 0,
): Promise<boolean> {
  const before = await createInvoiceTable(engine.client, engine.tables.Invoices).get(scope, invoiceId);
  if (!before) throw new Error(`There is no invoice ${invoiceId}.`);
  const after = { ...before, ...overrides, version: before.version + 1 };
  return (await transactionOf(engine)(scope, [{ before, after, revisions: [] }], shard)).kind === 'committed';
}
