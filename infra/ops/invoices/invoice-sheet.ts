import type { ReviewedInvoice } from '../../../lib/admin/review/reviewed-invoices.ts';
import { SHEET_COLUMNS, type SheetColumn } from '../../../lib/admin/review/sheet.ts';
import { decimal, differenceOf, differencePct } from '../../../lib/domain/money.ts';
import { type CsvCell, type CsvDialect, csvLine } from '../../../lib/spreadsheets/write-csv.ts';
import { printable } from '../../printable.ts';

/** The difference of an invoice as its amounts stand now, and in percent; null where nothing is declared. */
export function differencesOf({ declaration, systemAmount }: ReviewedInvoice) {
  const difference = declaration && differenceOf(declaration.amount, systemAmount);
  return { difference, differencePct: difference && differencePct(difference, systemAmount) };
}

/** The first line of the sheet, with what the file begins with. */
export function sheetHeader(dialect: CsvDialect): string {
  return dialect.mark + csvLine(SHEET_COLUMNS, dialect);
}

/** The line of an invoice. */
export function sheetLine(invoice: ReviewedInvoice, dialect: CsvDialect): string {
  const { declaration, providerInvoice } = invoice;
  const { difference, differencePct: percentage } = differencesOf(invoice);
  const cells: Readonly<Record<SheetColumn, CsvCell>> = {
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
  // On one line, and without signs that a terminal obeys.
  const shown = SHEET_COLUMNS.map((column) => {
    const cell = cells[column];
    return typeof cell === 'string' ? printable(cell) : cell;
  });
  return csvLine(shown, dialect);
}
