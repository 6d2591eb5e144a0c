import { isDeepStrictEqual } from 'node:util';
import { type DeclarationContext, type DeclarationRevision, IMPORTER } from '../../../lib/domain/declaration.ts';
import type { Author, InvoiceChange } from '../../../lib/domain/invoice-change.ts';
import type { StateCode } from '../../../lib/domain/invoice-states.ts';
import type { Concept, CurrentDeclaration, ImportedProperties, Invoice } from '../../../lib/domain/invoice.ts';
import { parseIsoDate } from '../../../lib/domain/iso-date.ts';
import { buildNextVersion, getChangeTime } from '../../../lib/domain/next-version.ts';
import { buildNextNotice, NO_NOTICE, type Notice } from '../../../lib/domain/notice.ts';
import { evaluateTolerance } from '../../../lib/domain/tolerance.ts';
import { toDecimal } from '../input/decimal-text.ts';
import { findNoticeError, toNoticeChange } from '../input/notice-fields.ts';
import { hasSameWallTime } from '../input/zone.ts';
import type { Rejection } from '../tables/change-invoices.ts';
import { translate } from '../texts/language.ts';
import { rejectionTexts } from '../texts/ops-texts.ts';
import { describeProtection } from './protected-invoice.ts';
import { type InvoiceRecord, REQUIRED_ON_CREATE } from './record-schema.ts';

export interface MergeContext extends Omit<DeclarationContext, 'userId'> {
  /** The author of changes that require --force. Other changes have the author IMPORTER. Undefined without --force. */
  readonly forceAuthor?: Author | undefined;
  /** True if the file is a workbook, whose dates have no offset from UTC; see mergeDate. */
  readonly isWorkbook?: boolean | undefined;
}

type OptionalDate = string | null | undefined;

/**
 * Returns the change that a record makes, or null if it changes nothing. Fields that the record does not contain keep
 * their values. The declaration of a supplier, and the state that resulted from it, never change. Returns an error if a
 * new invoice lacks a field, if the state does not allow a property of the notice, or if the change requires --force.
 */
export function mergeRecord(
  before: Invoice | null,
  record: InvoiceRecord,
  context: MergeContext,
): InvoiceChange | Rejection | null {
  const { forceAuthor, now } = context;
  const serviceId = record.service_id ?? before?.serviceId;
  const systemAmount = record.system_amount === undefined ? before?.systemAmount : toDecimal(record.system_amount);
  if (serviceId === undefined || systemAmount === undefined) {
    const missingFields = REQUIRED_ON_CREATE.filter((field) => record[field] === undefined);
    return { error: `record: ${translate(rejectionTexts.requiredOfNew(missingFields.join(', ')))}` };
  }

  const merged = mergeInvoice(before, record, { serviceId, systemAmount }, context);
  // The notice of a record belongs to its state, so it is ignored together with the state.
  const noticeError = isStateIgnored(before, record) ? null : findNoticeError(merged.state, toNoticeChange(record));
  if (noticeError) return { error: noticeError };
  if (isDeepStrictEqual(before, merged)) return null;

  const after = buildNextVersion(merged, {}, now);
  const protectionError = before ? describeProtection(before, after) : null;
  if (protectionError && !forceAuthor) return { error: protectionError };
  const author = protectionError && forceAuthor ? forceAuthor : { changedBy: IMPORTER, reason: null };
  const { declaration } = after;
  const isDeclared = declaration !== null && declaration !== before?.declaration;
  const revision = isDeclared ? buildRevision(declaration, after, context) : undefined;
  return { before, after, revision, author };
}

function mergeInvoice(
  before: Invoice | null,
  record: InvoiceRecord,
  requiredProperties: Pick<Invoice, 'serviceId' | 'systemAmount'>,
  context: MergeContext,
): Invoice {
  const declaredInvoice = isDeclaredBySupplier(before) ? before : null;
  const { declaration, providerInvoice } = declaredInvoice ?? mergeDeclaration(before, record, context);
  const imported: ImportedProperties = {
    ...requiredProperties,
    invoiceDate: mergeDate(before?.invoiceDate, record.invoice_date, context),
    serviceNumber: mergeValue(before?.serviceNumber, record.service_number),
    serviceCallDate: mergeDate(before?.serviceCallDate, record.service_call_date, context),
    accountName: mergeValue(before?.accountName, record.account_name),
    city: mergeValue(before?.city, record.city),
    attachmentUrl: mergeValue(before?.attachmentUrl, record.attachment_url),
    attachmentFilename: mergeValue(before?.attachmentFilename, record.attachment_filename),
  };
  const state = declaredInvoice?.state ?? record.state_code ?? before?.state ?? 'PEN';
  return {
    invoiceId: record.invoice_id,
    ...imported,
    state,
    notice: mergeNotice(before, record, state),
    declaration,
    providerInvoice,
    concepts: mergeConcepts(before, record),
    declaredOutcome: declaredInvoice?.declaredOutcome ?? null,
    requiresManualReview: declaredInvoice?.requiresManualReview ?? false,
    sortDate: chooseSortDate(imported, before, context.now),
    isWithdrawn: false,
    version: before?.version ?? 0,
    // A new invoice has no earlier change.
    changedAt: before?.changedAt ?? new Date(0).toISOString(),
    createdBy: before?.createdBy ?? null,
  };
}

/** True if the current declaration of an invoice was made in this service, and not imported. */
function isDeclaredBySupplier(invoice: Invoice | null): boolean {
  const declaredBy = invoice?.declaration?.declaredBy;
  return declaredBy !== undefined && declaredBy !== IMPORTER;
}

/** Merges the imported declaration. A declared amount of null is ignored, so an import cannot remove a declaration. */
function mergeDeclaration(before: Invoice | null, record: InvoiceRecord, context: MergeContext) {
  const current = before?.declaration ?? null;
  const providerInvoice = {
    number: mergeValue(before?.providerInvoice.number, record.provider_invoice_number),
    date: mergeDate(before?.providerInvoice.date, record.provider_invoice_date, context),
  };
  const amount = record.declared_amount ? toDecimal(record.declared_amount) : current?.amount;
  if (!amount) return { declaration: null, providerInvoice };
  const { declared_tax_pct: taxPct } = record;
  const importedTaxPct = typeof taxPct === 'string' ? toDecimal(taxPct) : taxPct;
  const values = {
    // An empty id counts as missing.
    declarationId: current?.declarationId ?? (record.declaration_id || context.newDeclarationId()),
    amount,
    notes: mergeValue(current?.notes, record.declared_notes),
    taxPct: mergeValue(current?.taxPct, importedTaxPct),
  };
  const hasSameValues = isDeepStrictEqual({ ...current, ...values }, current);
  const hasSameProviderInvoice = isDeepStrictEqual(providerInvoice, before?.providerInvoice);
  if (hasSameValues && hasSameProviderInvoice) return { declaration: current, providerInvoice };

  const revision = (current?.revision ?? 0) + 1;
  const declaredAt = getChangeTime(before, context.now);
  return { declaration: { ...values, revision, declaredBy: IMPORTER, declaredAt }, providerInvoice };
}

/** Returns the imported value, or the stored value if the record does not contain the field. */
function mergeValue<Value>(stored: Value | null | undefined, imported: Value | null | undefined): Value | null {
  const value = imported === undefined ? stored : imported;
  return value ?? null;
}

/** Merges a date. A date of a workbook with the day and time of the stored date keeps the stored date and offset. */
function mergeDate(stored: OptionalDate, imported: OptionalDate, { isWorkbook }: MergeContext): string | null {
  if (isWorkbook && stored && imported && hasSameWallTime(stored, imported)) return stored;
  return mergeValue(stored, imported);
}

/** Merges the notice: the message, approved amount and payment that the company shows to the supplier. */
function mergeNotice(before: Invoice | null, record: InvoiceRecord, state: StateCode): Notice {
  if (before && isStateIgnored(before, record)) return before.notice;
  return buildNextNotice(before ?? { state, notice: NO_NOTICE }, state, toNoticeChange(record));
}

/** True if an import ignores the state of a record, because the supplier has declared the invoice in this service. */
export function isStateIgnored(invoice: Invoice | null, { state_code: state }: InvoiceRecord): boolean {
  return isDeclaredBySupplier(invoice) && Boolean(state) && state !== invoice?.state;
}

function mergeConcepts(before: Invoice | null, { concepts }: InvoiceRecord): readonly Concept[] {
  if (concepts === undefined) return before?.concepts ?? [];
  return (concepts ?? []).map((concept) => ({
    conceptId: concept.concept_id,
    description: concept.description,
    unitAmount: toDecimal(concept.unit_amount),
    quantity: toDecimal(concept.quantity),
    taxPct: toDecimal(concept.tax_pct),
    total: toDecimal(concept.total),
  }));
}

/** Returns the date by which lists sort the invoice: its own date or the date of its service call. */
function chooseSortDate(imported: ImportedProperties, before: Invoice | null, now: Date): string {
  const date = imported.invoiceDate ?? imported.serviceCallDate;
  const range = date === null ? null : parseIsoDate(date);
  if (range) return new Date(range.startMs).toISOString();
  // Without a date, the invoice keeps the time of the import that created it or removed its date.
  const storedDate = before?.invoiceDate ?? before?.serviceCallDate ?? null;
  return before && storedDate === null ? before.sortDate : now.toISOString();
}

function buildRevision(declaration: CurrentDeclaration, after: Invoice, context: MergeContext): DeclarationRevision {
  const { invoiceId, providerInvoice, systemAmount } = after;
  const { tolerance, requestId } = context;
  const invoice = { invoiceId, providerInvoice, systemAmount };
  const outcome = evaluateTolerance(declaration.amount, systemAmount, tolerance);
  return { ...declaration, ...invoice, outcome, tolerance, requiresManualReview: false, requestId };
}
