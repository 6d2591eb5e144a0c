import type { FromSchema } from 'json-schema-to-ts';
import { type DeclarationResult, IMPORTER } from '../domain/declaration.ts';
import type { PropertyFault, ServiceError } from '../domain/errors.ts';
import type { Concept, Invoice, InvoiceRow } from '../domain/invoice.ts';
import { INVOICE_STATES } from '../domain/invoice-states.ts';
import { HISTORY_KINDS, type HistoryEntry } from '../domain/invoice-history.ts';
import type { Language } from '../domain/language.ts';
import { type Decimal, computeDifference, computeDifferencePct } from '../domain/money.ts';
import type { Tolerance, ToleranceOutcome } from '../domain/tolerance.ts';
import type { Notice } from '../domain/notice.ts';
import type {
  amountCheckData,
  declarationData,
  historyEntry,
  invoiceDetailData,
  invoiceListData,
} from './response-data.ts';

type Accepted = Extract<DeclarationResult, { kind: 'declared' }>;

type InvoiceListData = FromSchema<typeof invoiceListData>;

/** The name of a field of an invoice in responses, such as `system_amount`. */
export type InvoiceField = keyof InvoiceListData['rows'][number];

/** Converts an invoice to its row in a list. The differences are computed, and not stored. */
export function toInvoiceRow(row: InvoiceRow): InvoiceListData['rows'][number] {
  const { declaration, systemAmount } = row;
  const difference = declaration && computeDifference(declaration.amount, systemAmount);
  return {
    invoice_id: row.invoiceId,
    invoice_date: row.invoiceDate,
    service_id: row.serviceId,
    service_number: row.serviceNumber,
    service_call_date: row.serviceCallDate,
    account_name: row.accountName,
    city: row.city,
    system_amount: systemAmount.toNumber(),
    declaration_id: declaration?.declarationId ?? null,
    declared_amount: declaration?.amount.toNumber() ?? null,
    declared_notes: declaration?.notes ?? null,
    provider_invoice_number: row.providerInvoice.number,
    provider_invoice_date: row.providerInvoice.date,
    state_code: row.state,
    state_name: INVOICE_STATES[row.state].name,
    difference: difference?.toNumber() ?? null,
    difference_pct: difference && computeDifferencePct(difference, systemAmount).toNumber(),
    attachment_url: row.attachmentUrl,
    attachment_filename: row.attachmentFilename,
  };
}

export function toInvoiceDetail(invoice: Invoice, tolerance: Tolerance): FromSchema<typeof invoiceDetailData> {
  return { ...toInvoiceRow(invoice), concepts: invoice.concepts.map(toConcept), tolerance: toTolerance(tolerance) };
}

export function toTolerance(tolerance: Tolerance): InvoiceListData['tolerance'] {
  return {
    mode: tolerance.mode,
    tolerance_pct: tolerance.pct && tolerance.pct.toNumber(),
    tolerance_abs: tolerance.abs && tolerance.abs.toNumber(),
    auto_approve: tolerance.autoApprove,
    source: tolerance.source,
  };
}

export function toDeclarationResult({ declaration, outcome, state }: Accepted): FromSchema<typeof declarationData> {
  return {
    declaration_id: declaration.declarationId,
    declared_amount: declaration.amount.toNumber(),
    state_id: INVOICE_STATES[state].id,
    tolerance: toOutcome(outcome),
  };
}

/** Converts an error to the `error` object of a response, with the texts in one language. */
export function toErrorObject({ code, text, details }: ServiceError, language: Language) {
  const message = text[language];
  if (!details) return { code, message };
  return { code, message, details: details.map((fault) => translateFault(fault, language)) };
}

function translateFault({ property, constraints }: PropertyFault, language: Language) {
  const messages = Object.entries(constraints).map(([constraint, text]) => [constraint, text[language]]);
  return { property, constraints: Object.fromEntries(messages) as Readonly<Record<string, string>> };
}

/** Converts the result of a batch item to its entry of `results`, with the error in one language. */
export function toBatchResult(invoiceId: string, result: DeclarationResult, language: Language) {
  if (result.kind === 'rejected') {
    return { invoice_id: invoiceId, success: false, error: toErrorObject(result.error, language) };
  }
  return { invoice_id: invoiceId, success: true, ...toDeclarationResult(result) };
}

export function toAmountCheck(
  { invoiceId, systemAmount }: Pick<Invoice, 'invoiceId' | 'systemAmount'>,
  declaredAmount: Decimal,
  outcome: ToleranceOutcome,
): FromSchema<typeof amountCheckData> {
  return {
    invoice_id: invoiceId,
    system_amount: systemAmount.toNumber(),
    declared_amount: declaredAmount.toNumber(),
    ...toOutcome(outcome),
  };
}

function toOutcome(outcome: ToleranceOutcome): FromSchema<typeof declarationData>['tolerance'] {
  return {
    within_tolerance: outcome.isWithinTolerance,
    difference: outcome.difference.toNumber(),
    difference_pct: outcome.differencePct.toNumber(),
    difference_abs: outcome.differenceAbs.toNumber(),
    action: outcome.action,
    config_source: outcome.source,
  };
}

/** Converts a change of an invoice to its entry in the history. It contains nothing internal, such as the author. */
export function toHistoryEntry(entry: HistoryEntry): FromSchema<typeof historyEntry> {
  const { change, state, systemAmount, declaredAmount } = entry;
  const { revision, notice } = change;
  const ownRevision = revision && revision.declaredBy !== IMPORTER ? revision : null;
  return {
    changed_at: change.changedAt,
    kind: HISTORY_KINDS[change.kind],
    state_code: state,
    state_name: INVOICE_STATES[state].name,
    system_amount: systemAmount.toNumber(),
    declared_amount: declaredAmount && declaredAmount.toNumber(),
    difference: declaredAmount && computeDifference(declaredAmount, systemAmount).toNumber(),
    action: ownRevision && ownRevision.outcome.action,
    ...toNoticeFields(notice),
    declared_by_me: ownRevision !== null,
  };
}

export function toNoticeFields({ message, approvedAmount, paidOn, paymentReference }: Notice) {
  return {
    message,
    approved_amount: approvedAmount && approvedAmount.toNumber(),
    paid_on: paidOn,
    payment_reference: paymentReference,
  };
}

function toConcept(concept: Concept): FromSchema<typeof invoiceDetailData>['concepts'][number] {
  return {
    concept_id: concept.conceptId,
    description: concept.description,
    unit_amount: concept.unitAmount.toNumber(),
    quantity: concept.quantity.toNumber(),
    tax_pct: concept.taxPct.toNumber(),
    total: concept.total.toNumber(),
  };
}
