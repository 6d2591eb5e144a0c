import type {
  Concept,
  CurrentDeclaration,
  Invoice,
  InvoiceRow,
  ProviderInvoice,
  SupplierScope,
} from '../domain/invoice.ts';
import { buildSearchText } from '../domain/list-entry.ts';
import { type Notice, NO_NOTICE } from '../domain/notice.ts';
import type { OutcomeSnapshot } from '../domain/tolerance.ts';
import {
  computeItemBytes,
  fromDecimal,
  fromInteger,
  type StoredNumber,
  toDecimal,
  toDecimalOrNull,
  toInteger,
} from './dynamodb/values.ts';
import type { Attributes, Key } from './dynamodb/reads.ts';
import { buildInvoiceKey, buildListPosition, isWithdrawnPosition } from './keys.ts';

/** The attributes of the fields in lists. An attribute that would be null does not exist. */
type ListedItem = ReturnType<typeof fromListedProperties> & Partial<DeclarationAttributes & { declared_at: string }>;

export interface InvoiceItem extends Key, Attributes, ListedItem, Partial<NoticeAttributes> {
  readonly declared_outcome?: ReturnType<typeof fromOutcome>;
  readonly held_for_review?: true;
  readonly concepts: readonly ReturnType<typeof fromConcept>[];
  /** The sort key of the index of lists. The index also contains `state_code`, `search_text` and `changed_ms`. */
  readonly list_position: string;
  readonly search_text: string;
  readonly sort_date: string;
  readonly version: StoredNumber;
  /** The time of the latest change in Unix milliseconds. A text would add 16 bytes to each entry of the index. */
  readonly changed_ms: StoredNumber;
  readonly created_by?: string;
}

export function fromInvoice(scope: SupplierScope, invoice: Invoice): InvoiceItem {
  return {
    ...buildInvoiceKey(scope, invoice.invoiceId),
    list_position: buildListPosition(invoice),
    search_text: buildSearchText(invoice),
    ...buildListedAttributes(invoice),
    ...(invoice.declaredOutcome && { declared_outcome: fromOutcome(invoice.declaredOutcome) }),
    ...(invoice.requiresManualReview && { held_for_review: true }),
    ...removeNulls(fromNotice(invoice.notice)),
    concepts: invoice.concepts.map(fromConcept),
    sort_date: invoice.sortDate,
    version: fromInteger(invoice.version),
    changed_ms: fromInteger(Date.parse(invoice.changedAt)),
    ...(invoice.createdBy !== null && { created_by: invoice.createdBy }),
  };
}

export function toInvoice(item: InvoiceItem): Invoice {
  return {
    ...toListedInvoice(item.sk, item),
    concepts: item.concepts.map(toConcept),
    declaredOutcome: item.declared_outcome ? toOutcome(item.declared_outcome) : null,
    requiresManualReview: item.held_for_review ?? false,
    notice: toNotice(item),
    sortDate: item.sort_date,
    isWithdrawn: isWithdrawnPosition(item.list_position),
    version: toInteger(item.version),
    changedAt: new Date(toInteger(item.changed_ms)).toISOString(),
    createdBy: item.created_by ?? null,
  };
}

/** Converts an item to an invoice, or to null if the company has withdrawn it. All requests of suppliers read so. */
export function toVisibleInvoice(item: InvoiceItem): Invoice | null {
  return isWithdrawnPosition(item.list_position) ? null : toInvoice(item);
}

/** Builds the attributes of listed fields. A property that is null gets no attribute. */
function buildListedAttributes(row: InvoiceRow): ListedItem {
  const { declaration } = row;
  const attributes = {
    ...fromListedProperties(row),
    ...(declaration && { ...fromDeclaration(declaration), declared_at: declaration.declaredAt }),
  };
  return removeNulls(attributes) as ListedItem;
}

function removeNulls<Values extends object>(attributes: Values): Partial<Values> {
  const entries = Object.entries(attributes).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as Partial<Values>;
}

function fromListedProperties(row: InvoiceRow) {
  return {
    invoice_date: row.invoiceDate,
    service_id: row.serviceId,
    service_number: row.serviceNumber,
    service_call_date: row.serviceCallDate,
    account_name: row.accountName,
    city: row.city,
    system_amount: fromDecimal(row.systemAmount),
    attachment_url: row.attachmentUrl,
    attachment_filename: row.attachmentFilename,
    state_code: row.state,
    ...fromProviderInvoice(row.providerInvoice),
  };
}

/** The names of the attributes that `toListedInvoice` reads. */
export const LISTED_ATTRIBUTES: readonly (keyof ListedItem)[] = [
  'invoice_date',
  'service_id',
  'service_number',
  'service_call_date',
  'account_name',
  'city',
  'system_amount',
  'attachment_url',
  'attachment_filename',
  'state_code',
  'provider_invoice_number',
  'provider_invoice_date',
  'declaration_id',
  'declaration_revision',
  'declared_amount',
  'declared_notes',
  'declared_tax_pct',
  'declared_by',
  'declared_at',
];

/** Converts the listed attributes of an item. The item can lack all other attributes. */
export function toListedInvoice(invoiceId: string, item: ListedItem): InvoiceRow {
  return {
    invoiceId,
    invoiceDate: item.invoice_date ?? null,
    serviceId: item.service_id,
    serviceNumber: item.service_number ?? null,
    serviceCallDate: item.service_call_date ?? null,
    accountName: item.account_name ?? null,
    city: item.city ?? null,
    systemAmount: toDecimal(item.system_amount),
    attachmentUrl: item.attachment_url ?? null,
    attachmentFilename: item.attachment_filename ?? null,
    state: item.state_code,
    declaration: isDeclared(item) ? { ...toDeclaration(item), declaredAt: item.declared_at } : null,
    providerInvoice: toProviderInvoice(item),
  };
}

function isDeclared(item: ListedItem): item is ListedItem & DeclarationAttributes & { declared_at: string } {
  return item.declaration_id !== undefined;
}

/** The attributes of a declaration that are the same in the invoice and in its history. */
type DeclarationAttributes = ReturnType<typeof fromDeclaration>;

export function fromDeclaration(declaration: Omit<CurrentDeclaration, 'declaredAt'>) {
  return {
    declaration_id: declaration.declarationId,
    declaration_revision: fromInteger(declaration.revision),
    declared_amount: fromDecimal(declaration.amount),
    declared_notes: declaration.notes,
    declared_tax_pct: declaration.taxPct && fromDecimal(declaration.taxPct),
    declared_by: declaration.declaredBy,
  };
}

export function toDeclaration(attributes: DeclarationAttributes): Omit<CurrentDeclaration, 'declaredAt'> {
  return {
    declarationId: attributes.declaration_id,
    revision: toInteger(attributes.declaration_revision),
    amount: toDecimal(attributes.declared_amount),
    notes: attributes.declared_notes ?? null,
    taxPct: toDecimalOrNull(attributes.declared_tax_pct),
    declaredBy: attributes.declared_by,
  };
}

/** The attributes of the supplier's own invoice. They are the same in the invoice and in its history. */
export type ProviderAttributes = ReturnType<typeof fromProviderInvoice>;

export function fromProviderInvoice({ number, date }: ProviderInvoice) {
  return { provider_invoice_number: number, provider_invoice_date: date };
}

export function toProviderInvoice(attributes: ProviderAttributes): ProviderInvoice {
  return { number: attributes.provider_invoice_number ?? null, date: attributes.provider_invoice_date ?? null };
}

/** The attributes of a notice. They are the same in the invoice and in its history. */
export type NoticeAttributes = ReturnType<typeof fromNotice>;

export function fromNotice({ message, approvedAmount, paidOn, paymentReference }: Notice) {
  return {
    message,
    approved_amount: approvedAmount && fromDecimal(approvedAmount),
    paid_on: paidOn,
    payment_reference: paymentReference,
  };
}

export function toNotice(attributes: Partial<NoticeAttributes>): Notice {
  return {
    message: attributes.message ?? null,
    approvedAmount: toDecimalOrNull(attributes.approved_amount),
    paidOn: attributes.paid_on ?? null,
    paymentReference: attributes.payment_reference ?? null,
  };
}

function fromConcept(concept: Concept) {
  return {
    concept_id: concept.conceptId,
    description: concept.description,
    unit_amount: fromDecimal(concept.unitAmount),
    quantity: fromDecimal(concept.quantity),
    tax_pct: fromDecimal(concept.taxPct),
    total: fromDecimal(concept.total),
  };
}

function toConcept(attributes: ReturnType<typeof fromConcept>): Concept {
  return {
    conceptId: attributes.concept_id,
    description: attributes.description,
    unitAmount: toDecimal(attributes.unit_amount),
    quantity: toDecimal(attributes.quantity),
    taxPct: toDecimal(attributes.tax_pct),
    total: toDecimal(attributes.total),
  };
}

function fromOutcome({ isWithinTolerance, difference, action, source }: OutcomeSnapshot) {
  return { within_tolerance: isWithinTolerance, difference: fromDecimal(difference), action, source };
}

function toOutcome({ within_tolerance, difference, action, source }: ReturnType<typeof fromOutcome>): OutcomeSnapshot {
  return { isWithinTolerance: within_tolerance, difference: toDecimal(difference), action, source };
}

/** An upper bound of the bytes that declaration and notice add to an invoice, and a change to the values in its history. */
export const MAX_CHANGE_BYTES = 30_000;

const NO_PROVIDER_INVOICE: ProviderInvoice = { number: null, date: null };

/** Computes the largest size that an invoice can have, or the item of its history. The limit is MAX_ITEM_BYTES. */
export function computeMaxItemBytes(scope: SupplierScope, invoice: Invoice): number {
  const undeclared = { ...invoice, declaration: null, declaredOutcome: null, providerInvoice: NO_PROVIDER_INVOICE };
  return computeInvoiceBytes(fromInvoice(scope, { ...undeclared, notice: NO_NOTICE })) + MAX_CHANGE_BYTES;
}

/** Computes the size of an invoice. DynamoDB also counts its entry in the local index of lists. */
export function computeInvoiceBytes(item: InvoiceItem): number {
  const { pk, sk, list_position, state_code, search_text, changed_ms } = item;
  const entry = { pk, sk, list_position, state_code, search_text, changed_ms };
  return computeItemBytes(item) + computeItemBytes(entry);
}
