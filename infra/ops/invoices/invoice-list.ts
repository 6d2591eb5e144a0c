import { toInvoiceRow } from '../../../lib/contracts/to-response.ts';
import type { InvoiceField } from '../../../lib/domain/invoice-fields.ts';
import { decimal, differenceOf, differencePct } from '../../../lib/domain/money.ts';
import type { ReviewedInvoice } from './reviewed-invoices.ts';
import { type List, type ToCell, toColumns } from './write-sheet.ts';

/** The fields of an invoice that the sheet does not contain. A new field must be either here or a column. */
type OmittedField =
  'service_id' | 'service_call_date' | 'city' | 'state_name' | 'attachment_url' | 'attachment_filename';

/** The cells of the review sheet. The reviewer fills in the last two. */
const CELLS = {
  supplier_id: ({ supplierId }) => supplierId,
  invoice_id: ({ invoiceId }) => invoiceId,
  invoice_date: ({ invoiceDate }) => invoiceDate,
  service_number: ({ serviceNumber }) => serviceNumber,
  account_name: ({ accountName }) => accountName,
  system_amount: ({ systemAmount }) => systemAmount,
  declared_amount: ({ declaration }) => declaration && declaration.amount,
  declared_tax_pct: ({ declaration }) => declaration && declaration.taxPct,
  difference: ({ declaration, systemAmount }) => declaration && differenceOf(declaration.amount, systemAmount),
  difference_pct: ({ declaration, systemAmount }) =>
    declaration && differencePct(differenceOf(declaration.amount, systemAmount), systemAmount),
  state_code: ({ state }) => state,
  declared_at: ({ declaredAt }) => declaredAt,
  provider_invoice_number: ({ providerInvoice }) => providerInvoice.number,
  provider_invoice_date: ({ providerInvoice }) => providerInvoice.date,
  declared_notes: ({ declaration }) => declaration && declaration.notes,
  declaration_id: ({ declaration }) => declaration && declaration.declarationId,
  revision: ({ declaration }) => declaration && decimal(declaration.revision),
  decision: () => null,
  reason: () => null,
} as const satisfies Record<Exclude<InvoiceField, OmittedField>, ToCell<ReviewedInvoice>> &
  Record<string, ToCell<ReviewedInvoice>>;

/** The name of a column of the review sheet. */
export type SheetColumn = keyof typeof CELLS;

/** The list of invoices; its sheet is the review sheet. */
export const INVOICE_LIST: List<ReviewedInvoice> = {
  name: 'Invoices',
  columns: toColumns(CELLS),
  toDocument: (invoice) => ({
    supplier_id: invoice.supplierId,
    ...toInvoiceRow(invoice),
    declared_tax_pct: invoice.declaration?.taxPct?.toNumber() ?? null,
    revision: invoice.declaration?.revision ?? null,
    declared_at: invoice.declaredAt,
  }),
};
