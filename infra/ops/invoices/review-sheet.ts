import type { InvoiceField } from '../../../lib/domain/invoice-fields.ts';
import { decimal, differenceOf, differencePct } from '../../../lib/domain/money.ts';
import type { FieldSpec } from '../../../lib/spreadsheets/find-columns.ts';
import type { CsvCell } from '../../../lib/spreadsheets/write-csv.ts';
import type { ReviewedInvoice } from './reviewed-invoices.ts';

/** A column of the review sheet: its kind (`decide` ignores `display`), and the conversion of an invoice to its cell. */
interface Column {
  readonly kind: FieldSpec['kind'];
  readonly toCell: (invoice: ReviewedInvoice) => CsvCell;
}

/** The fields of an invoice that the sheet does not contain. A new field must be either here or a column. */
type OmittedField =
  'service_id' | 'service_call_date' | 'city' | 'state_name' | 'attachment_url' | 'attachment_filename';

/** The columns of the review sheet, in their order. The reviewer fills in the last two. */
export const SHEET = {
  supplier_id: { kind: 'text', toCell: ({ supplierId }) => supplierId },
  invoice_id: { kind: 'text', toCell: ({ invoiceId }) => invoiceId },
  invoice_date: { kind: 'display', toCell: ({ invoiceDate }) => invoiceDate },
  service_number: { kind: 'display', toCell: ({ serviceNumber }) => serviceNumber },
  account_name: { kind: 'display', toCell: ({ accountName }) => accountName },
  system_amount: { kind: 'amount', toCell: ({ systemAmount }) => systemAmount },
  declared_amount: { kind: 'amount', toCell: ({ declaration }) => declaration && declaration.amount },
  declared_tax_pct: { kind: 'display', toCell: ({ declaration }) => declaration && declaration.taxPct },
  difference: { kind: 'display', toCell: (invoice) => computeDifferences(invoice).difference },
  difference_pct: { kind: 'display', toCell: (invoice) => computeDifferences(invoice).differencePct },
  state_code: { kind: 'text', toCell: ({ state }) => state },
  declared_at: { kind: 'display', toCell: ({ declaredAt }) => declaredAt },
  provider_invoice_number: { kind: 'display', toCell: ({ providerInvoice }) => providerInvoice.number },
  provider_invoice_date: { kind: 'display', toCell: ({ providerInvoice }) => providerInvoice.date },
  declared_notes: { kind: 'display', toCell: ({ declaration }) => declaration && declaration.notes },
  declaration_id: { kind: 'text', toCell: ({ declaration }) => declaration && declaration.declarationId },
  revision: { kind: 'text', toCell: ({ declaration }) => declaration && decimal(declaration.revision) },
  decision: { kind: 'text', toCell: () => null },
  reason: { kind: 'text', toCell: () => null },
} as const satisfies Record<Exclude<InvoiceField, OmittedField>, Column> & Record<string, Column>;

export type SheetColumn = keyof typeof SHEET;

export const SHEET_COLUMNS = Object.keys(SHEET) as SheetColumn[];

/** Computes the difference of the declared and the system amount, also in percent; null if nothing is declared. */
function computeDifferences({ declaration, systemAmount }: ReviewedInvoice) {
  const difference = declaration && differenceOf(declaration.amount, systemAmount);
  return { difference, differencePct: difference && differencePct(difference, systemAmount) };
}
