/**
 * The columns of the sheet in which a company reviews invoices, in their order; a reviewer fills in the last two.
 */
export const SHEET_COLUMNS = [
  'supplier_id',
  'invoice_id',
  'invoice_date',
  'service_number',
  'account_name',
  'system_amount',
  'declared_amount',
  'declared_tax_pct',
  'difference',
  'difference_pct',
  'state_code',
  'declared_at',
  'provider_invoice_number',
  'provider_invoice_date',
  'declared_notes',
  'declaration_id',
  'revision',
  'decision',
  'reason',
] as const;

export type SheetColumn = (typeof SHEET_COLUMNS)[number];
