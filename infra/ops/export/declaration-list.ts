import { getDeclaredState, toDeclarationDocument } from '../../../lib/contracts/events.ts';
import { toNoticeFields } from '../../../lib/contracts/to-response.ts';
import type { DeclarationRevision } from '../../../lib/domain/declaration.ts';
import type { RecordedChange } from '../../../lib/domain/invoice-change.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { NO_NOTICE } from '../../../lib/domain/notice.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { defineList, type ListColumn } from '../output/write-sheet.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { opsTexts } from '../texts/ops-texts.ts';

const { titles } = opsTexts;
const PARALLEL_SUPPLIERS = 8;

/** A declaration in the history of an invoice. */
export interface RecordedDeclaration extends RecordedChange {
  readonly revision: DeclarationRevision;
}

export function isDeclaration(change: RecordedChange): change is RecordedDeclaration {
  return change.revision !== null;
}

/** Adds the current notice of its invoice to each latest declaration of a tenant. Earlier declarations get no notice. */
export async function addCurrentNotices(
  { getMany }: AdminPorts['invoices'],
  tenant: string,
  declarations: readonly RecordedDeclaration[],
): Promise<RecordedDeclaration[]> {
  const invoicesBySupplier = new Map<string, ReadonlyMap<string, Invoice>>();
  const bySupplier = Map.groupBy(declarations, ({ scope }) => scope.supplierId);
  await forEachConcurrent([...bySupplier], PARALLEL_SUPPLIERS, async ([supplierId, supplierDeclarations]) => {
    const ids = supplierDeclarations.map(({ invoiceId }) => invoiceId);
    invoicesBySupplier.set(supplierId, await getMany({ tenant, supplierId }, ids));
  });
  return declarations.map((declaration) => {
    const { scope, invoiceId, revision } = declaration;
    const invoice = invoicesBySupplier.get(scope.supplierId)?.get(invoiceId);
    const isLatest = invoice?.declaration?.revision === revision.revision;
    return { ...declaration, notice: isLatest ? invoice.notice : NO_NOTICE };
  });
}

const COLUMNS: Readonly<Record<string, ListColumn<RecordedDeclaration>>> = {
  supplier_id: { title: titles.supplier, toCell: ({ scope }) => scope.supplierId },
  invoice_id: { title: titles.invoice, toCell: ({ revision }) => revision.invoiceId },
  declaration_id: { toCell: ({ revision }) => revision.declarationId },
  revision: { title: titles.revision, toCell: ({ revision }) => decimal(revision.revision) },
  declared_amount: { title: titles.declared, kind: 'amount', toCell: ({ revision }) => revision.amount },
  declared_tax_pct: { title: titles.tax, kind: 'percentage', toCell: ({ revision }) => revision.taxPct },
  declared_notes: { toCell: ({ revision }) => revision.notes },
  provider_invoice_number: { toCell: ({ revision }) => revision.providerInvoice.number },
  provider_invoice_date: { kind: 'date', toCell: ({ revision }) => revision.providerInvoice.date },
  system_amount: { title: titles.system, kind: 'amount', toCell: ({ revision }) => revision.systemAmount },
  difference: { title: titles.difference, kind: 'amount', toCell: ({ revision }) => revision.outcome.difference },
  difference_pct: {
    title: titles.percentage,
    kind: 'percentage',
    toCell: ({ revision }) => revision.outcome.differencePct,
  },
  within_tolerance: { toCell: ({ revision }) => String(revision.outcome.isWithinTolerance) },
  action: { title: titles.action, toCell: ({ revision }) => revision.outcome.action },
  state_code: { title: titles.state, toCell: ({ revision }) => getDeclaredState(revision) },
  held_for_review: { toCell: ({ revision }) => String(revision.requiresManualReview) },
  tolerance_mode: { toCell: ({ revision }) => revision.tolerance.mode },
  tolerance_pct: { kind: 'percentage', toCell: ({ revision }) => revision.tolerance.pct },
  tolerance_abs: { kind: 'amount', toCell: ({ revision }) => revision.tolerance.abs },
  auto_approve: { toCell: ({ revision }) => String(revision.tolerance.autoApprove) },
  tolerance_source: { toCell: ({ revision }) => revision.tolerance.source },
  declared_by: { toCell: ({ revision }) => revision.declaredBy },
  declared_at: { title: titles.declaredAt, kind: 'date', toCell: ({ revision }) => revision.declaredAt },
  request_id: { toCell: ({ revision }) => revision.requestId },
  approved_amount: { title: titles.approved, kind: 'amount', toCell: ({ notice }) => notice.approvedAmount },
  message: { toCell: ({ notice }) => notice.message },
  paid_on: { kind: 'date', toCell: ({ notice }) => notice.paidOn },
  payment_reference: { toCell: ({ notice }) => notice.paymentReference },
};

/** The list of declarations that export-declarations and find-request print. */
export const DECLARATION_LIST = defineList('Declarations', COLUMNS, ({ scope, revision, notice }) => ({
  supplier_id: scope.supplierId,
  invoice_id: revision.invoiceId,
  ...toDeclarationDocument(revision),
  ...toNoticeFields(notice),
}));
