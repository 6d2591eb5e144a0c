import type { ReviewedInvoice } from '../../../lib/admin/review/reviewed-invoices.ts';
import { SHEET_COLUMNS, type SheetColumn } from '../../../lib/admin/review/sheet.ts';
import { DECISIONS } from '../../../lib/domain/invoice-states.ts';
import { decimal, differenceOf, differencePct } from '../../../lib/domain/money.ts';
import type { CsvCell } from '../../../lib/spreadsheets/write-csv.ts';
import type { WorkbookColumn } from '../../../lib/spreadsheets/write-workbook.ts';
import { type Sheet, toColumn } from './write-sheet.ts';

/** The difference of an invoice as its amounts stand now, and in percent; null where nothing is declared. */
export function differencesOf({ declaration, systemAmount }: ReviewedInvoice) {
  const difference = declaration && differenceOf(declaration.amount, systemAmount);
  return { difference, differencePct: difference && differencePct(difference, systemAmount) };
}

// The columns that a reviewer fills in.
const EDITABLE: Readonly<Partial<Record<SheetColumn, Partial<WorkbookColumn>>>> = {
  decision: { isEditable: true, choices: DECISIONS },
  reason: { isEditable: true, width: 40 },
};

/** The sheet in which a company reviews invoices. */
export const INVOICE_SHEET: Sheet<ReviewedInvoice> = {
  name: 'Invoices',
  columns: SHEET_COLUMNS.map((column) => ({ ...toColumn(column), ...EDITABLE[column] })),
  toCells(invoice) {
    const cells = toCells(invoice);
    return SHEET_COLUMNS.map((column) => cells[column]);
  },
};

function toCells(invoice: ReviewedInvoice): Readonly<Record<SheetColumn, CsvCell>> {
  const { declaration, providerInvoice } = invoice;
  const { difference, differencePct: percentage } = differencesOf(invoice);
  return {
    supplier_id: invoice.supplierId,
    invoice_id: invoice.invoiceId,
    invoice_date: invoice.invoiceDate,
    service_number: invoice.serviceNumber,
    account_name: invoice.accountName,
    system_amount: invoice.systemAmount,
    declared_amount: declaration && declaration.amount,
    declared_tax_pct: declaration && declaration.taxPct,
    difference,
    difference_pct: percentage,
    state_code: invoice.state,
    declared_at: invoice.declaredAt,
    provider_invoice_number: providerInvoice.number,
    provider_invoice_date: providerInvoice.date,
    declared_notes: declaration && declaration.notes,
    declaration_id: declaration && declaration.declarationId,
    revision: declaration && decimal(declaration.revision),
    decision: null,
    reason: null,
  };
}
