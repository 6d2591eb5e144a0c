import type { StateCode } from '../domain/invoice-states.ts';
import type { CurrentDeclaration, Invoice, InvoiceRow, ProviderInvoice, SupplierScope } from '../domain/invoice.ts';
import { searchTextOf } from '../domain/search-text.ts';
import { type ConceptItem, fromConcept, toConcept } from './concept-items.ts';
import { dateKey, invoiceKey, type Key, stateKey } from './keys.ts';
import { fromOutcomeMark, type OutcomeMarkItem, toOutcomeMark } from './outcome-mark-items.ts';
import { fromDecimal, fromInteger, type StoredNumber, toDecimal, toInteger } from './numbers.ts';

/** What a declaration sets, the same on the invoice and in its history. */
export interface DeclaredAttributes {
  readonly declaration_id: string;
  readonly declaration_revision: StoredNumber;
  readonly declared_amount: StoredNumber;
  readonly declared_notes: string | null;
  readonly declared_tax_pct: StoredNumber | null;
}

/** The supplier's own invoice, the same on the invoice and in its declaration history. */
export interface ProviderInvoiceAttributes {
  readonly provider_invoice_number: string | null;
  readonly provider_invoice_date: string | null;
}

/** The attributes of an invoice that the list indexes project (what nobody has declared or imported yet is absent). */
export interface InvoiceRowItem extends Key, Partial<DeclaredAttributes>, Partial<ProviderInvoiceAttributes> {
  readonly invoice_date: string | null;
  readonly service_id: string;
  readonly service_number: string | null;
  readonly service_call_date: string | null;
  readonly account_name: string | null;
  readonly city: string | null;
  readonly system_amount: StoredNumber;
  readonly state_code: StateCode;
  readonly attachment_url: string | null;
  readonly attachment_filename: string | null;
}

/** An invoice as it is stored. */
export interface InvoiceItem extends InvoiceRowItem {
  readonly declared_outcome?: OutcomeMarkItem;
  readonly concepts: readonly ConceptItem[];
  readonly sort_date: string;
  readonly by_date: string;
  readonly by_state: string;
  readonly search_text: string;
  readonly version: StoredNumber;
}

/** The stored form of an invoice, with its index keys and search text. */
export function fromInvoice(scope: SupplierScope, invoice: Invoice): InvoiceItem {
  const { declaration, providerInvoice } = invoice;
  return {
    ...invoiceKey(scope, invoice.invoiceId),
    invoice_date: invoice.invoiceDate,
    service_id: invoice.serviceId,
    service_number: invoice.serviceNumber,
    service_call_date: invoice.serviceCallDate,
    account_name: invoice.accountName,
    city: invoice.city,
    system_amount: fromDecimal(invoice.systemAmount),
    state_code: invoice.state,
    ...(declaration && fromDeclaration(declaration)),
    // What is not known is not written, so that a page of an index holds more rows.
    ...((declaration ?? providerInvoice.number ?? providerInvoice.date) !== null &&
      fromProviderInvoice(providerInvoice)),
    ...(invoice.declaredOutcome && { declared_outcome: fromOutcomeMark(invoice.declaredOutcome) }),
    attachment_url: invoice.attachmentUrl,
    attachment_filename: invoice.attachmentFilename,
    concepts: invoice.concepts.map(fromConcept),
    sort_date: invoice.sortDate,
    by_date: dateKey(invoice.sortDate, invoice.invoiceId),
    by_state: stateKey(invoice.state, invoice.sortDate, invoice.invoiceId),
    search_text: searchTextOf(invoice),
    version: fromInteger(invoice.version),
  };
}

/** The stored form of what a declaration sets. */
export function fromDeclaration(declaration: CurrentDeclaration) {
  return {
    declaration_id: declaration.declarationId,
    declaration_revision: fromInteger(declaration.revision),
    declared_amount: fromDecimal(declaration.amount),
    declared_notes: declaration.notes,
    declared_tax_pct: declaration.taxPct && fromDecimal(declaration.taxPct),
  } satisfies DeclaredAttributes;
}

/** The stored form of the supplier's own invoice. */
export function fromProviderInvoice({ number, date }: ProviderInvoice): ProviderInvoiceAttributes {
  return { provider_invoice_number: number, provider_invoice_date: date };
}

/** Reads an invoice. */
export function toInvoice(item: InvoiceItem): Invoice {
  return {
    ...toInvoiceRow(item),
    concepts: item.concepts.map(toConcept),
    declaredOutcome: item.declared_outcome ? toOutcomeMark(item.declared_outcome) : null,
    sortDate: item.sort_date,
    version: toInteger(item.version),
  };
}

/** Reads a list row. */
export function toInvoiceRow(item: InvoiceRowItem): InvoiceRow {
  return {
    invoiceId: item.sk,
    invoiceDate: item.invoice_date,
    serviceId: item.service_id,
    serviceNumber: item.service_number,
    serviceCallDate: item.service_call_date,
    accountName: item.account_name,
    city: item.city,
    systemAmount: toDecimal(item.system_amount),
    state: item.state_code,
    declaration: item.declaration_id === undefined ? null : toCurrentDeclaration(item as DeclaredAttributes),
    providerInvoice: toProviderInvoice(item),
    attachmentUrl: item.attachment_url,
    attachmentFilename: item.attachment_filename,
  };
}

/** Reads what a declaration has set. */
export function toCurrentDeclaration(declared: DeclaredAttributes): CurrentDeclaration {
  return {
    declarationId: declared.declaration_id,
    revision: toInteger(declared.declaration_revision),
    amount: toDecimal(declared.declared_amount),
    notes: declared.declared_notes,
    taxPct: declared.declared_tax_pct && toDecimal(declared.declared_tax_pct),
  };
}

/** Reads the supplier's own invoice; the attributes are absent where nothing is known of it. */
export function toProviderInvoice(item: Partial<ProviderInvoiceAttributes>): ProviderInvoice {
  return { number: item.provider_invoice_number ?? null, date: item.provider_invoice_date ?? null };
}
