import { type InvoiceField, toInvoiceRow, toNoticeFields } from '../../../lib/contracts/to-response.ts';
import { computeDifferencePct, decimal } from '../../../lib/domain/money.ts';
import { defineList, type ListColumn } from '../output/write-sheet.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import type { ReviewedInvoice } from './reviewed-invoices.ts';

const { titles } = opsTexts;

/** The maximum number of ids in `same_number`. Thousands of invoices can have a number such as `S/N`. */
const MAX_SAME_NUMBER = 20;

type ReviewColumn = ListColumn<ReviewedInvoice>;

/** The fields of an invoice that the sheet does not contain. A new field must be either here or a column. */
type OmittedField =
  'service_id' | 'service_call_date' | 'city' | 'state_name' | 'attachment_url' | 'attachment_filename';

const INVOICE_COLUMNS = {
  supplier_id: { title: titles.supplier, toCell: ({ supplierId }) => supplierId },
  invoice_id: { title: titles.invoice, toCell: ({ invoiceId }) => invoiceId },
  invoice_date: { title: titles.date, kind: 'date', toCell: ({ invoiceDate }) => invoiceDate },
  service_number: { toCell: ({ serviceNumber }) => serviceNumber },
  account_name: { toCell: ({ accountName }) => accountName },
  system_amount: { title: titles.system, kind: 'amount', toCell: ({ systemAmount }) => systemAmount },
  declared_amount: { title: titles.declared, kind: 'amount', toCell: ({ declaration }) => declaration?.amount ?? null },
  declared_tax_pct: { title: titles.tax, kind: 'percentage', toCell: ({ declaration }) => declaration?.taxPct ?? null },
  difference: { title: titles.difference, kind: 'amount', toCell: ({ difference }) => difference },
  difference_pct: {
    title: titles.percentage,
    kind: 'percentage',
    toCell: ({ difference, systemAmount }) => difference && computeDifferencePct(difference, systemAmount),
  },
  state_code: { title: titles.state, toCell: ({ state }) => state },
  declared_at: { title: titles.declaredAt, kind: 'date', toCell: ({ declaration }) => declaration?.declaredAt ?? null },
  provider_invoice_number: { toCell: ({ providerInvoice }) => providerInvoice.number },
  provider_invoice_date: { kind: 'date', toCell: ({ providerInvoice }) => providerInvoice.date },
  declared_notes: { toCell: ({ declaration }) => declaration?.notes ?? null },
  declaration_id: { toCell: ({ declaration }) => declaration?.declarationId ?? null },
  revision: { title: titles.revision, toCell: ({ declaration }) => declaration && decimal(declaration.revision) },
  version: { title: titles.version, toCell: ({ version }) => decimal(version) },
  same_number: { toCell: (invoice) => listSameNumber(invoice).join(' ') || null },
} as const satisfies Record<Exclude<InvoiceField, OmittedField>, ReviewColumn> & Record<string, ReviewColumn>;

/** The columns that the reviewer fills in. Decision and reason are the last ones. */
const DECISION_COLUMNS = {
  approved_amount: {
    title: titles.approved,
    kind: 'amount',
    isEditable: true,
    toCell: ({ notice }) => notice.approvedAmount,
  },
  message: { isEditable: true, width: 40, toCell: ({ notice }) => notice.message },
  paid_on: { kind: 'date', isEditable: true, toCell: ({ notice }) => notice.paidOn },
  payment_reference: { isEditable: true, toCell: ({ notice }) => notice.paymentReference },
  decision: { isEditable: true, toCell: () => null },
  reason: { isEditable: true, width: 40, toCell: () => null },
} as const satisfies Record<string, ReviewColumn>;

const COLUMNS = { ...INVOICE_COLUMNS, ...DECISION_COLUMNS };

export type SheetColumn = keyof typeof COLUMNS;

/** The list of invoices that list-invoices prints, and whose sheet decide reads. */
export const INVOICE_LIST = defineList<ReviewedInvoice>('Invoices', COLUMNS, (invoice) => ({
  supplier_id: invoice.supplierId,
  ...toInvoiceRow(invoice),
  declared_tax_pct: invoice.declaration?.taxPct?.toNumber() ?? null,
  revision: invoice.declaration?.revision ?? null,
  version: invoice.version,
  declared_at: invoice.declaration?.declaredAt ?? null,
  ...toNoticeFields(invoice.notice),
  same_number: listSameNumber(invoice),
}));

/** Lists the ids of the first other invoices with the same own invoice number, oldest first. */
function listSameNumber({ invoiceId, sameNumberIds }: ReviewedInvoice): string[] {
  // One more id is read, because the ids can contain the invoice itself.
  const firstIds = sameNumberIds.slice(0, MAX_SAME_NUMBER + 1);
  return firstIds.filter((id) => id !== invoiceId).slice(0, MAX_SAME_NUMBER);
}
