import { isDeepStrictEqual } from 'node:util';
import { toDecimal } from '../input/decimal-text.ts';
import { type DeclarationRevision, IMPORTER } from '../../../lib/domain/declaration.ts';
import {
  CONCEPT_FIELDS,
  type FieldSpec,
  IMPORTED_FIELDS,
  type ImportedProperties,
  isNumeric,
} from '../../../lib/domain/invoice-fields.ts';
import { isSystemAmountFixed, buildStateChange } from '../../../lib/domain/invoice-state-change.ts';
import { canTransition } from '../../../lib/domain/invoice-states.ts';
import type { Concept, CurrentDeclaration, Invoice } from '../../../lib/domain/invoice.ts';
import type { Decimal } from '../../../lib/domain/money.ts';
import { evaluateTolerance, type Tolerance } from '../../../lib/domain/tolerance.ts';
import { hasSameWallTime } from '../input/zone.ts';
import type { InvoiceChange } from '../../../lib/invoices/transactions.ts';
import { type InvoiceRecord, REQUIRED_ON_CREATE } from './record-schema.ts';
import { parseIsoDate } from '../../../lib/domain/iso-date.ts';

/** The stored invoice of a record (null: it does not exist), and whether its supplier declared it in this service. */
export interface StoredInvoice {
  readonly invoice: Invoice | null;
  readonly declaredBySupplier: boolean;
  /** The stored id that differs only in leading zeros, if the invoice does not exist and this is not allowed. */
  readonly zeroVariant?: string | undefined;
}

export interface MergeContext {
  readonly tolerance: Tolerance;
  readonly now: Date;
  readonly requestId: string;
  readonly newDeclarationId: () => string;
  /** Allows changes of protected invoices; if absent, they keep their amounts and stay settled. */
  readonly force?: Force | undefined;
  /** True for a workbook, whose dates have no offset: a date with the wall time of the stored date changes nothing. */
  readonly hasWallTimes?: boolean | undefined;
}

/**
 * Returns the change that a record makes, null if it changes nothing, or an error: a field of a new invoice is missing,
 * the id differs from a stored id only in leading zeros, or the record changes a protected invoice without force.
 * Fields that the record does not contain keep their values. The declaration of a supplier, and the state that
 * resulted from it, never change.
 */
export function mergeRecord(
  { invoice: before, declaredBySupplier, zeroVariant }: StoredInvoice,
  record: InvoiceRecord,
  context: MergeContext,
): InvoiceChange | { readonly error: string } | null {
  if (zeroVariant !== undefined) {
    const hint = 'leading zeros may have been removed; to accept both ids, pass --allow-zeros';
    return { error: `invoice_id: the supplier already has ${zeroVariant}: ${hint}` };
  }
  const missing = before ? [] : REQUIRED_ON_CREATE.filter((field) => record[field] === undefined);
  if (missing.length > 0) return { error: `record: a new invoice requires ${missing.join(' and ')}` };
  const declared = declaredBySupplier ? before : null;
  const { declaration, providerInvoice } = declared ?? mergeDeclared(before, record, context);
  const fields = IMPORTED_FIELDS.map(({ name, property, kind }) => {
    const value = record[name];
    if (kind === 'date') return [property, mergeDate(before?.[property], value, context)];
    return [property, merge<unknown>(before?.[property], value && toValue(value, kind))];
  });
  const imported = Object.fromEntries(fields) as ImportedProperties;
  const merged: Invoice = {
    invoiceId: record.invoice_id,
    ...imported,
    state: declared?.state ?? record.state_code ?? before?.state ?? 'PEN',
    declaration,
    providerInvoice,
    concepts: record.concepts === undefined ? (before?.concepts ?? []) : toConcepts(record.concepts ?? []),
    declaredOutcome: declared?.declaredOutcome ?? null,
    requiresManualReview: declared?.requiresManualReview ?? false,
    sortDate: chooseSortDate(imported, before, context.now),
    version: before?.version ?? 0,
  };
  if (isDeepStrictEqual(before, merged)) return null;
  const after = { ...merged, version: merged.version + 1 };
  const protectionError = before && findProtectionError(before, after);
  if (protectionError && !context.force) return { error: protectionError };
  const author = (protectionError && context.force) || { changedBy: IMPORTER, reason: null };
  const isRevised = declaration && declaration !== before?.declaration;
  const revisions = isRevised ? [toRevision(declaration, after, context)] : [];
  const stateChange = buildStateChange(before, after, { ...author, now: context.now });
  return { before, after, revisions, stateChange };
}

/** Returns the imported value, or the stored value if the record does not contain the field. */
function merge<Value>(stored: Value | null | undefined, imported: Value | null | undefined): Value | null {
  return (imported === undefined ? stored : imported) ?? null;
}

type OptionalDate = string | null | undefined;

/** Returns the date of a record, or the stored date if the record omits it or contains its wall time. */
function mergeDate(stored: OptionalDate, imported: OptionalDate, { hasWallTimes }: MergeContext): string | null {
  return hasWallTimes && stored && imported && hasSameWallTime(stored, imported) ? stored : merge(stored, imported);
}

/**
 * Merges the declaration of a record: returns the next revision, or the current revision if nothing changes. A
 * declaration cannot be withdrawn, so an amount of null is ignored.
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
  return concepts.map((concept) => {
    const entries = CONCEPT_FIELDS.map(({ name, property, kind }) => [property, toValue(concept[name], kind)]);
    return Object.fromEntries(entries) as Concept;
  });
}

function toValue(imported: string, kind: FieldSpec['kind']): Decimal | string {
  return isNumeric(kind) ? toDecimal(imported) : imported;
}

function toRevision(declaration: CurrentDeclaration, invoice: Invoice, context: MergeContext): DeclarationRevision {
  const { invoiceId, providerInvoice, systemAmount } = invoice;
  const { tolerance, requestId, now } = context;
  const outcome = evaluateTolerance(declaration.amount, systemAmount, tolerance);
  return {
    ...{ ...declaration, invoiceId, providerInvoice, systemAmount, outcome, tolerance, requiresManualReview: false },
    ...{ declaredBy: IMPORTER, declaredAt: now.toISOString(), requestId },
  };
}

/** The reason why an import changes protected invoices, and its author; both are saved in the history. */
export interface Force {
  readonly changedBy: string;
  readonly reason: string;
}

/**
 * Returns the error of a change that requires --force: it alters a fixed system amount, or the declared amount of a
 * settled invoice, or the invoice leaves LIQ. Returns null for every other change.
 */
function findProtectionError(before: Invoice, after: Invoice): string | null {
  const errors: string[] = [];
  if (isSystemAmountFixed(before) && !before.systemAmount.eq(after.systemAmount)) {
    const { declaration, state } = before;
    const declared = declaration ? `, with ${declaration.amount.toFixed()} declared` : '';
    const amounts = `${before.systemAmount.toFixed()} → ${after.systemAmount.toFixed()}`;
    errors.push(`system_amount: ${amounts}, but the invoice is ${state}${declared}`);
  }
  const [declaredBefore, declaredAfter] = [before, after].map(({ declaration }) => declaration?.amount.toFixed());
  if (before.state === 'LIQ' && declaredBefore !== declaredAfter) {
    errors.push(`declared_amount: ${declaredBefore ?? 'none'} → ${declaredAfter}, but the invoice is LIQ`);
  }
  if (!canTransition(before.state, after.state)) {
    errors.push(`state_code: ${before.state} → ${after.state}, but the invoice is settled`);
  }
  return errors.length > 0 ? `${errors.join('; ')}; to change it, pass --force and --reason` : null;
}

/**
 * Returns the date that orders an invoice in lists: its date or the date of its service call. Without dates it is `now`,
 * or the current sort date if the stored invoice has no dates either.
 */
function chooseSortDate(
  { invoiceDate, serviceCallDate }: Pick<Invoice, 'invoiceDate' | 'serviceCallDate'>,
  before: Invoice | null,
  now: Date,
): string {
  const date = parseIsoDate(invoiceDate ?? serviceCallDate ?? '');
  if (date) return new Date(date.epochMs).toISOString();
  const hadNoDates = before && before.invoiceDate === null && before.serviceCallDate === null;
  return hadNoDates ? before.sortDate : now.toISOString();
}
