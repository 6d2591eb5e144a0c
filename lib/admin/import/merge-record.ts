import { isDeepStrictEqual } from 'node:util';
import { toDecimal } from '../../domain/decimal-text.ts';
import { type DeclarationRevision, IMPORTER } from '../../domain/declaration.ts';
import { stateChangeOf } from '../../domain/invoice-state-change.ts';
import type { CurrentDeclaration, Invoice } from '../../domain/invoice.ts';
import { recordedAtOf, sortDateOf } from '../../domain/sort-date.ts';
import { compare, type Tolerance } from '../../domain/tolerance.ts';
import type { InvoiceChange } from '../../storage/invoices/invoice-transaction.ts';
import type { InvoiceRecord } from './record-schema.ts';

/** An invoice as it is stored now (null: not yet), and whether its supplier has declared it here. */
export interface StoredInvoice {
  readonly invoice: Invoice | null;
  readonly declaredHere: boolean;
}

/** What an import brings along for every record. */
export interface MergeContext {
  readonly tolerance: Tolerance;
  readonly now: Date;
  readonly requestId: string;
  readonly newDeclarationId: () => string;
}

/**
 * The change that a record makes; null when it changes nothing. What a supplier declared here, and the state this led
 * to, stays.
 */
export function mergeRecord(
  { invoice: before, declaredHere }: StoredInvoice,
  record: InvoiceRecord,
  context: MergeContext,
): InvoiceChange | null {
  const current = before?.declaration ?? null;
  const { declaration, providerInvoice } = before && declaredHere ? before : mergeDeclared(before, record, context);
  const dates = { invoiceDate: record.invoice_date ?? null, serviceCallDate: record.service_call_date ?? null };
  const merged: Invoice = {
    invoiceId: record.invoice_id,
    ...dates,
    serviceId: record.service_id,
    serviceNumber: record.service_number ?? null,
    accountName: record.account_name ?? null,
    city: record.city ?? null,
    systemAmount: toDecimal(record.system_amount),
    state: (declaredHere ? before?.state : record.state_code) ?? before?.state ?? 'PEN',
    declaration,
    providerInvoice,
    attachmentUrl: record.attachment_url ?? null,
    attachmentFilename: record.attachment_filename ?? null,
    concepts: (record.concepts ?? []).map((concept) => ({
      conceptId: concept.concept_id,
      description: concept.description,
      unitAmount: toDecimal(concept.unit_amount),
      quantity: toDecimal(concept.quantity),
      taxPct: toDecimal(concept.tax_pct),
      total: toDecimal(concept.total),
    })),
    declaredOutcome: before && declaredHere ? before.declaredOutcome : null,
    sortDate: sortDateOf(dates, recordedAtOf(before, context.now)),
    version: before?.version ?? 0,
  };
  if (isDeepStrictEqual(before, merged)) return null;
  const after = { ...merged, version: merged.version + 1 };
  const revisions = declaration && declaration !== current ? [toRevision(declaration, after, context)] : [];
  const stateChange = stateChangeOf(before, after, { changedBy: IMPORTER, reason: null, now: context.now });
  return { before, after, revisions, stateChange };
}

/**
 * What a record declares, as the next revision of an imported declaration; the current one when it says nothing new.
 */
function mergeDeclared(
  before: Invoice | null,
  record: InvoiceRecord,
  { newDeclarationId }: MergeContext,
): Pick<Invoice, 'declaration' | 'providerInvoice'> {
  const current = before?.declaration ?? null;
  const amount = record.declared_amount ?? null;
  // A declaration that the record does not have stays, with the number and the date that came with it.
  const kept = current && amount === null ? before?.providerInvoice : null;
  const providerInvoice = {
    number: record.provider_invoice_number ?? kept?.number ?? null,
    date: record.provider_invoice_date ?? kept?.date ?? null,
  };
  const imported =
    amount === null
      ? current
      : {
          declarationId: current?.declarationId ?? (record.declaration_id || newDeclarationId()),
          revision: current?.revision ?? 1,
          amount: toDecimal(amount),
          notes: record.declared_notes ?? null,
          taxPct: null,
        };
  if (!current || !imported) return { declaration: imported, providerInvoice };
  const isSame = isDeepStrictEqual([current, before?.providerInvoice], [imported, providerInvoice]);
  return { declaration: isSame ? current : { ...imported, revision: current.revision + 1 }, providerInvoice };
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
    declaredBy: IMPORTER,
    declaredAt: context.now.toISOString(),
    requestId: context.requestId,
  };
}
