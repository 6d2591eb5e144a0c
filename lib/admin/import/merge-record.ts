import { isDeepStrictEqual } from 'node:util';
import { toDecimal } from '../../domain/decimal-text.ts';
import { type DeclarationRevision, IMPORTER } from '../../domain/declaration.ts';
import { stateChangeOf } from '../../domain/invoice-state-change.ts';
import type { Concept, CurrentDeclaration, Invoice } from '../../domain/invoice.ts';
import { recordedAtOf, sortDateOf } from '../../domain/sort-date.ts';
import { hasSameWallTime } from '../../domain/zone.ts';
import { compare, type Tolerance } from '../../domain/tolerance.ts';
import type { InvoiceChange } from '../../services/transactions.ts';
import { findProtectionFault, type Force } from './protection.ts';
import { type InvoiceRecord, REQUIRED_OF_NEW } from './record-schema.ts';

/** An invoice as it is stored now (null: not yet), and whether its supplier has declared it here. */
export interface StoredInvoice {
  readonly invoice: Invoice | null;
  readonly declaredHere: boolean;
  /** If the invoice is not stored: the id of a stored one that differs only in leading zeros, unless that is allowed. */
  readonly zeroVariant?: string | undefined;
}

/** The settings of an import that apply to every record. */
export interface MergeContext {
  readonly tolerance: Tolerance;
  readonly now: Date;
  readonly requestId: string;
  readonly newDeclarationId: () => string;
  /** Without it, protected invoices keep their system amount and stay settled. */
  readonly force?: Force | undefined;
  /** True if the dates come from a workbook, which knows no zones: the wall time of a stored date does not change it. */
  readonly hasWallTimes?: boolean | undefined;
}

/**
 * Returns the change that a record makes, null if it changes nothing, or why the record is rejected: it is incomplete
 * for a new invoice, its id differs from another one only in leading zeros, or it changes a protected invoice without
 * force. Fields that the record does not have keep their values. What a supplier declared here, and the state this led
 * to, never changes.
 */
export function mergeRecord(
  { invoice: before, declaredHere, zeroVariant }: StoredInvoice,
  record: InvoiceRecord,
  context: MergeContext,
): InvoiceChange | { readonly fault: string } | null {
  if (zeroVariant !== undefined) {
    const hint = 'the leading zeros may be lost; --allow-zeros accepts both ids';
    return { fault: `invoice_id: the supplier already has ${zeroVariant}: ${hint}` };
  }
  const serviceId = record.service_id ?? before?.serviceId;
  const systemAmount = record.system_amount === undefined ? before?.systemAmount : toDecimal(record.system_amount);
  if (serviceId === undefined || systemAmount === undefined) {
    const missing = REQUIRED_OF_NEW.filter((field) => record[field] === undefined);
    return { fault: `record: a new invoice needs ${missing.join(' and ')}` };
  }
  const current = before?.declaration ?? null;
  const { declaration, providerInvoice } = before && declaredHere ? before : mergeDeclared(before, record, context);
  const dates = {
    invoiceDate: mergeDate(before?.invoiceDate, record.invoice_date, context),
    serviceCallDate: mergeDate(before?.serviceCallDate, record.service_call_date, context),
  };
  const merged: Invoice = {
    invoiceId: record.invoice_id,
    ...dates,
    serviceId,
    serviceNumber: merge(before?.serviceNumber, record.service_number),
    accountName: merge(before?.accountName, record.account_name),
    city: merge(before?.city, record.city),
    systemAmount,
    state: (declaredHere ? before?.state : record.state_code) ?? before?.state ?? 'PEN',
    declaration,
    providerInvoice,
    attachmentUrl: merge(before?.attachmentUrl, record.attachment_url),
    attachmentFilename: merge(before?.attachmentFilename, record.attachment_filename),
    concepts: record.concepts === undefined ? (before?.concepts ?? []) : toConcepts(record.concepts ?? []),
    declaredOutcome: before && declaredHere ? before.declaredOutcome : null,
    heldForReview: declaredHere && before !== null && before.heldForReview,
    sortDate: sortDateOf(dates, recordedAtOf(before, context.now)),
    version: before?.version ?? 0,
  };
  if (isDeepStrictEqual(before, merged)) return null;
  const after = { ...merged, version: merged.version + 1 };
  const protectionFault = before && findProtectionFault(before, after);
  if (protectionFault && !context.force) return { fault: protectionFault };
  const author = (protectionFault && context.force) || { changedBy: IMPORTER, reason: null };
  const revisions = declaration && declaration !== current ? [toRevision(declaration, after, context)] : [];
  const stateChange = stateChangeOf(before, after, { ...author, now: context.now });
  return { before, after, revisions, stateChange };
}

/** What a record leaves out keeps its value. */
function merge<Value>(stored: Value | null | undefined, said: Value | null | undefined): Value | null {
  return (said === undefined ? stored : said) ?? null;
}

/** Returns the date of a record, or the stored one if the record leaves it out or shows its wall time. */
function mergeDate(
  stored: string | null | undefined,
  said: string | null | undefined,
  { hasWallTimes }: Pick<MergeContext, 'hasWallTimes'>,
): string | null {
  return hasWallTimes && stored && said && hasSameWallTime(stored, said) ? stored : merge(stored, said);
}

/**
 * What a record declares, as the next revision of an imported declaration; the current one when it says nothing new. A
 * declaration cannot be taken back, so an amount of null says nothing.
 */
function mergeDeclared(
  before: Invoice | null,
  record: InvoiceRecord,
  context: MergeContext,
): Pick<Invoice, 'declaration' | 'providerInvoice'> {
  const current = before?.declaration ?? null;
  const providerInvoice = {
    number: merge(before?.providerInvoice.number, record.provider_invoice_number),
    date: mergeDate(before?.providerInvoice.date, record.provider_invoice_date, context),
  };
  const amount = typeof record.declared_amount === 'string' ? toDecimal(record.declared_amount) : current?.amount;
  if (!amount) return { declaration: null, providerInvoice };
  const tax = record.declared_tax_pct;
  const imported = {
    declarationId: current?.declarationId ?? (record.declaration_id || context.newDeclarationId()),
    revision: current?.revision ?? 1,
    amount,
    notes: merge(current?.notes, record.declared_notes),
    taxPct: merge(current?.taxPct, typeof tax === 'string' ? toDecimal(tax) : tax),
  };
  if (!current) return { declaration: imported, providerInvoice };
  const isSame = isDeepStrictEqual([current, before?.providerInvoice], [imported, providerInvoice]);
  return { declaration: isSame ? current : { ...imported, revision: current.revision + 1 }, providerInvoice };
}

function toConcepts(concepts: NonNullable<InvoiceRecord['concepts']>): Concept[] {
  return concepts.map((concept) => ({
    conceptId: concept.concept_id,
    description: concept.description,
    unitAmount: toDecimal(concept.unit_amount),
    quantity: toDecimal(concept.quantity),
    taxPct: toDecimal(concept.tax_pct),
    total: toDecimal(concept.total),
  }));
}

function toRevision(declaration: CurrentDeclaration, invoice: Invoice, context: MergeContext): DeclarationRevision {
  const { invoiceId, providerInvoice, systemAmount } = invoice;
  return {
    ...declaration,
    invoiceId,
    providerInvoice,
    systemAmount,
    outcome: compare(declaration.amount, systemAmount, context.tolerance),
    tolerance: context.tolerance,
    heldForReview: false,
    declaredBy: IMPORTER,
    declaredAt: context.now.toISOString(),
    requestId: context.requestId,
  };
}
