import type { StateCode } from '../../domain/invoice-states.ts';
import type { CurrentDeclaration, Invoice, InvoiceRow, ProviderInvoice, SupplierScope } from '../../domain/invoice.ts';
import { type ListEntry, positionOf, searchTextOf } from '../../domain/list-entry.ts';
import type { Key } from '../dynamodb/key.ts';
import { fromDecimal, fromInteger, type StoredNumber, toDecimal, toInteger } from '../dynamodb/numbers.ts';
import { positionOfRow, rowKey } from './keys.ts';

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

/** What a list shows of an invoice, the same on the invoice and on its rows; what is not known is absent. */
export interface ListedAttributes extends Known<DeclaredAttributes>, Known<ProviderInvoiceAttributes> {
  readonly invoice_date?: string;
  readonly service_id: string;
  readonly service_number?: string;
  readonly service_call_date?: string;
  readonly account_name?: string;
  readonly city?: string;
  readonly system_amount: StoredNumber;
  readonly state_code: StateCode;
  readonly attachment_url?: string;
  readonly attachment_filename?: string;
}

/** An invoice in a list, as it is stored: an item of its own, so that a page of a list is read in one go. */
export interface InvoiceRowItem extends Key, ListedAttributes {
  readonly invoice_id: string;
  readonly search_text: string;
}

type Known<Attributes> = { readonly [Name in keyof Attributes]?: NonNullable<Attributes[Name]> };

/** The stored rows of an invoice: one in the list of all invoices, and one in the list of its state. */
export function rowsOf(scope: SupplierScope, invoice: Invoice): [inAll: InvoiceRowItem, inState: InvoiceRowItem] {
  const attributes = {
    invoice_id: invoice.invoiceId,
    search_text: searchTextOf(invoice),
    ...fromListed(invoice),
  };
  const [inAll, inState] = rowKeysOf(scope, invoice);
  return [
    { ...inAll, ...attributes },
    { ...inState, ...attributes },
  ];
}

/** The keys of the rows of an invoice. */
export function rowKeysOf(scope: SupplierScope, invoice: Invoice): [inAll: Key, inState: Key] {
  const position = positionOf(invoice);
  return [rowKey(scope, position, null), rowKey(scope, position, invoice.state)];
}

/** The keys of the rows that an invoice no longer has after a change; `before` is null when it is new. */
export function rowsLeft(
  scope: SupplierScope,
  { before, after }: { readonly before: Invoice | null; readonly after: Invoice },
): Key[] {
  if (!before) return [];
  const kept = new Set(rowKeysOf(scope, after).map(({ sk }) => sk));
  return rowKeysOf(scope, before).filter(({ sk }) => !kept.has(sk));
}

/** The stored form of what a list shows of an invoice. */
export function fromListed(row: InvoiceRow): ListedAttributes {
  return {
    service_id: row.serviceId,
    system_amount: fromDecimal(row.systemAmount),
    state_code: row.state,
    ...known({
      invoice_date: row.invoiceDate,
      service_number: row.serviceNumber,
      service_call_date: row.serviceCallDate,
      account_name: row.accountName,
      city: row.city,
      ...(row.declaration && fromDeclaration(row.declaration)),
      ...fromProviderInvoice(row.providerInvoice),
      attachment_url: row.attachmentUrl,
      attachment_filename: row.attachmentFilename,
    }),
  };
}

/** Reads what lists and searches go by of a row. */
export function toEntry(item: Pick<InvoiceRowItem, 'sk' | 'state_code' | 'search_text'>): ListEntry {
  return { position: positionOfRow(item.sk), state: item.state_code, text: item.search_text };
}

/** Reads what a list shows of an invoice. */
export function toListed(invoiceId: string, item: ListedAttributes): InvoiceRow {
  return {
    invoiceId,
    invoiceDate: item.invoice_date ?? null,
    serviceId: item.service_id,
    serviceNumber: item.service_number ?? null,
    serviceCallDate: item.service_call_date ?? null,
    accountName: item.account_name ?? null,
    city: item.city ?? null,
    systemAmount: toDecimal(item.system_amount),
    state: item.state_code,
    declaration: item.declaration_id === undefined ? null : toCurrentDeclaration(item as DeclaredAttributes),
    providerInvoice: toProviderInvoice(item),
    attachmentUrl: item.attachment_url ?? null,
    attachmentFilename: item.attachment_filename ?? null,
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

/** Reads what a declaration has set. */
export function toCurrentDeclaration(declared: DeclaredAttributes): CurrentDeclaration {
  return {
    declarationId: declared.declaration_id,
    revision: toInteger(declared.declaration_revision),
    amount: toDecimal(declared.declared_amount),
    notes: declared.declared_notes ?? null,
    taxPct: declared.declared_tax_pct ? toDecimal(declared.declared_tax_pct) : null,
  };
}

/** Reads the supplier's own invoice; the attributes are absent where nothing is known of it. */
export function toProviderInvoice(item: Partial<ProviderInvoiceAttributes>): ProviderInvoice {
  return { number: item.provider_invoice_number ?? null, date: item.provider_invoice_date ?? null };
}

function known<Attributes extends object>(attributes: Attributes): Known<Attributes> {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null)) as Known<Attributes>;
}
