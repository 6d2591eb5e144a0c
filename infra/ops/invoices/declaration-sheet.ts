import { stateDeclared } from '../../../lib/contracts/history.ts';
import type { OwnedRevision } from '../../../lib/admin/ports/admin-ports.ts';
import { decimal } from '../../../lib/domain/money.ts';
import type { CsvCell } from '../../../lib/spreadsheets/write-csv.ts';
import { type Sheet, toColumn } from './write-sheet.ts';

const COLUMNS: Readonly<Record<string, (declaration: OwnedRevision) => CsvCell | boolean>> = {
  supplier_id: ({ scope }) => scope.supplierId,
  invoice_id: ({ revision }) => revision.invoiceId,
  declaration_id: ({ revision }) => revision.declarationId,
  revision: ({ revision }) => decimal(revision.revision),
  declared_amount: ({ revision }) => revision.amount,
  declared_tax_pct: ({ revision }) => revision.taxPct,
  declared_notes: ({ revision }) => revision.notes,
  provider_invoice_number: ({ revision }) => revision.providerInvoice.number,
  provider_invoice_date: ({ revision }) => revision.providerInvoice.date,
  system_amount: ({ revision }) => revision.systemAmount,
  difference: ({ revision }) => revision.outcome.difference,
  difference_pct: ({ revision }) => revision.outcome.differencePct,
  within_tolerance: ({ revision }) => revision.outcome.withinTolerance,
  action: ({ revision }) => revision.outcome.action,
  state_code: ({ revision }) => stateDeclared(revision),
  held_for_review: ({ revision }) => revision.heldForReview,
  tolerance_mode: ({ revision }) => revision.tolerance.mode,
  tolerance_pct: ({ revision }) => revision.tolerance.pct,
  tolerance_abs: ({ revision }) => revision.tolerance.abs,
  auto_approve: ({ revision }) => revision.tolerance.autoApprove,
  tolerance_source: ({ revision }) => revision.tolerance.source,
  declared_by: ({ revision }) => revision.declaredBy,
  declared_at: ({ revision }) => revision.declaredAt,
  request_id: ({ revision }) => revision.requestId,
};

/** The sheet of exported declarations. */
export const DECLARATION_SHEET: Sheet<OwnedRevision> = {
  name: 'Declarations',
  columns: Object.keys(COLUMNS).map(toColumn),
  toCells: (declaration) =>
    Object.values(COLUMNS).map((cellOf) => {
      const cell = cellOf(declaration);
      return typeof cell === 'boolean' ? String(cell) : cell;
    }),
};
