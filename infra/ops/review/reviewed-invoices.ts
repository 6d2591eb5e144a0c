import { findSuppliers } from '../directory/read-directory.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { type InvoiceField, toInvoiceRow, toNoticeFields } from '../../../lib/contracts/to-response.ts';
import type { DateRange } from '../../../lib/domain/date-range.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import type { StateCode } from '../../../lib/domain/invoice-states.ts';
import { buildSearchText, parseOwnNumber } from '../../../lib/domain/list-entry.ts';
import { decimal, computeDifference, computeDifferencePct, type Decimal } from '../../../lib/domain/money.ts';
import { splitIntoChunks } from '../../../lib/runtime/pages.ts';
import { defineList, type ListColumn } from '../output/write-sheet.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { SHEET_DECISIONS } from './decision.ts';

/** An invoice with the data that the company needs to review it. */
export interface ReviewedInvoice extends Invoice {
  readonly supplierId: string;
  /** The declared minus the system amount; null: the invoice has no declaration. */
  readonly difference: Decimal | null;
  /**
   * The ids of the supplier's listed invoices with the same own invoice number, oldest first, including this invoice
   * unless it is withdrawn. Empty if no other invoice has the number, or without `hasSameNumbers`.
   */
  readonly sameNumberIds: readonly string[];
}

interface InvoiceFilter {
  readonly tenant: string;
  /** The suppliers to list. Without ids, all suppliers are listed. */
  readonly supplierIds?: readonly string[];
  readonly range: DateRange;
  readonly state?: StateCode | undefined;
  /** Only invoices with a current declaration of this time or later. */
  readonly declaredSinceMs?: number | undefined;
  /** True: only withdrawn invoices; otherwise, only the others. */
  readonly withdrawn?: boolean | undefined;
  /** True: also compares the own invoice numbers, which reads the list entries of all invoices of each supplier. */
  readonly hasSameNumbers?: boolean | undefined;
}

const { titles } = opsTexts;

const PARALLEL_SUPPLIERS = 8;

type IdsByNumber = ReadonlyMap<string, readonly string[]>;

const NO_NUMBERS: IdsByNumber = new Map();

/**
 * Reads the invoices of a tenant, supplier by supplier and oldest first, page by page. Throws an OperatorError if the
 * tenant or a supplier does not exist.
 */
export async function* readReviewedInvoices(
  ports: Pick<AdminPorts, 'records' | 'invoices'>,
  { tenant, supplierIds, hasSameNumbers, ...filter }: InvoiceFilter,
): AsyncGenerator<readonly ReviewedInvoice[], void> {
  const suppliers = await findSuppliers(ports, tenant, supplierIds);
  for (const chunk of splitIntoChunks(suppliers, PARALLEL_SUPPLIERS)) {
    const readers = chunk.map((scope) => {
      const { invoices } = ports;
      const pages = filter.withdrawn ? invoices.readWithdrawn(scope) : invoices.readRange(scope, filter.range);
      // The first pages of the suppliers, which are usually the only ones, are read at the same time.
      const firstReads = Promise.all([pages.next(), hasSameNumbers ? invoices.readIdsByNumber(scope) : NO_NUMBERS]);
      // If the reads of an earlier supplier fail, these are never awaited. Their failure would end the process.
      firstReads.catch(() => undefined);
      return { supplierId: scope.supplierId, pages, firstReads };
    });
    for (const { supplierId, pages, firstReads } of readers) {
      const [firstPage, idsByNumber] = await firstReads;
      for (let page = firstPage; !page.done; page = await pages.next()) {
        const selectedInvoices = page.value.filter((invoice) => isSelected(invoice, filter));
        yield selectedInvoices.map((invoice) => addReviewData(supplierId, invoice, idsByNumber));
      }
    }
  }
}

/** True if an invoice is selected by a filter. The range of withdrawn invoices is not part of their position. */
function isSelected({ sortDate, state, declaration }: Invoice, filter: Omit<InvoiceFilter, 'tenant'>): boolean {
  const dateMs = Date.parse(sortDate);
  if (dateMs < filter.range.startMs || dateMs > filter.range.endMs) return false;
  if (filter.state !== undefined && state !== filter.state) return false;
  if (filter.declaredSinceMs === undefined) return true;
  return declaration !== null && Date.parse(declaration.declaredAt) >= filter.declaredSinceMs;
}

/** Adds the supplier, the difference and the invoices with the same own invoice number to an invoice. */
function addReviewData(supplierId: string, invoice: Invoice, idsByNumber: IdsByNumber): ReviewedInvoice {
  const { declaration, systemAmount, invoiceId } = invoice;
  const difference = declaration && computeDifference(declaration.amount, systemAmount);
  const ids = idsByNumber.get(parseOwnNumber(buildSearchText(invoice))) ?? [];
  const isRepeated = ids.some((id) => id !== invoiceId);
  return { ...invoice, supplierId, difference, sameNumberIds: isRepeated ? ids : [] };
}

/** The fields of an invoice that the sheet does not contain. A new field must be either here or a column. */
type OmittedField =
  'service_id' | 'service_call_date' | 'city' | 'state_name' | 'attachment_url' | 'attachment_filename';

type ReviewColumn = ListColumn<ReviewedInvoice>;

/** The columns of a sheet of invoices. */
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
  decision: { isEditable: true, choices: SHEET_DECISIONS, toCell: () => null },
  reason: { isEditable: true, width: 40, toCell: () => null },
} as const satisfies Record<string, ReviewColumn>;

const COLUMNS = { ...INVOICE_COLUMNS, ...DECISION_COLUMNS };

export type SheetColumn = keyof typeof COLUMNS;

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

/** The maximum number of ids in `same_number`. Thousands of invoices can have a number such as `S/N`. */
const MAX_SAME_NUMBER = 20;

/** Lists the other invoices with the same own invoice number, oldest first. */
function listSameNumber({ invoiceId, sameNumberIds }: ReviewedInvoice): string[] {
  const ids = sameNumberIds.slice(0, MAX_SAME_NUMBER + 1);
  return ids.filter((id) => id !== invoiceId).slice(0, MAX_SAME_NUMBER);
}
