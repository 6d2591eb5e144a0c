import type { StateCode } from '../../domain/invoice-states.ts';
import type {
  Concept,
  CurrentDeclaration,
  Invoice,
  InvoiceRow,
  ProviderInvoice,
  SupplierScope,
} from '../../domain/invoice.ts';
import { withLargestDeclaration } from '../../domain/largest-declaration.ts';
import { type ListEntry, positionOf, searchTextOf } from '../../domain/list-entry.ts';
import type { OutcomeMark } from '../../domain/tolerance.ts';
import type { InvoiceChange } from '../../services/transactions.ts';
import { itemBytes } from '../dynamodb/item-size.ts';
import type { Key } from '../dynamodb/key.ts';
import { fromInteger, type StoredNumber, toInteger } from '../dynamodb/numbers.ts';
import { invoiceKey, positionOfRow, rowKey } from './keys.ts';
import { type Attributes, DECIMAL, INTEGER, storedFields } from './stored-fields.ts';

/** What a declaration sets, the same on the invoice and in its history. */
export const declaredFields = storedFields<CurrentDeclaration>({
  declarationId: 'declaration_id',
  revision: ['declaration_revision', INTEGER],
  amount: ['declared_amount', DECIMAL],
  notes: 'declared_notes',
  taxPct: ['declared_tax_pct', DECIMAL],
});

/** The supplier's own invoice, the same on the invoice and in its declaration history. */
export const providerInvoiceFields = storedFields<ProviderInvoice>({
  number: 'provider_invoice_number',
  date: 'provider_invoice_date',
});

const listedFields = storedFields<Omit<InvoiceRow, 'invoiceId' | 'declaration' | 'providerInvoice'>>({
  invoiceDate: 'invoice_date',
  serviceId: 'service_id',
  serviceNumber: 'service_number',
  serviceCallDate: 'service_call_date',
  accountName: 'account_name',
  city: 'city',
  systemAmount: ['system_amount', DECIMAL],
  state: 'state_code',
  attachmentUrl: 'attachment_url',
  attachmentFilename: 'attachment_filename',
});

// PURE: a bundle leaves out the tables that its function does not use.
const conceptFields = /* @__PURE__ */ storedFields<Concept>({
  conceptId: 'concept_id',
  description: 'description',
  unitAmount: ['unit_amount', DECIMAL],
  quantity: ['quantity', DECIMAL],
  taxPct: ['tax_pct', DECIMAL],
  total: ['total', DECIMAL],
});

const outcomeFields = /* @__PURE__ */ storedFields<OutcomeMark>({
  withinTolerance: 'within_tolerance',
  difference: ['difference', DECIMAL],
  action: 'action',
  source: 'source',
});

/** An invoice as it is stored. */
export interface InvoiceItem extends Key, Attributes {
  readonly declared_outcome?: Attributes;
  readonly held_for_review?: true;
  readonly concepts: readonly Attributes[];
  readonly sort_date: string;
  readonly version: StoredNumber;
}

/** The stored form of an invoice. */
export function fromInvoice(scope: SupplierScope, invoice: Invoice): InvoiceItem {
  return {
    ...invoiceKey(scope, invoice.invoiceId),
    ...fromListed(invoice),
    ...(invoice.declaredOutcome && { declared_outcome: outcomeFields.write(invoice.declaredOutcome) }),
    ...(invoice.heldForReview && { held_for_review: true }),
    concepts: invoice.concepts.map(conceptFields.write),
    sort_date: invoice.sortDate,
    version: fromInteger(invoice.version),
  };
}

/** Reads an invoice. */
export function toInvoice(item: InvoiceItem): Invoice {
  return {
    ...toListed(item.sk, item),
    concepts: item.concepts.map(conceptFields.read),
    declaredOutcome: item.declared_outcome ? outcomeFields.read(item.declared_outcome) : null,
    heldForReview: item.held_for_review ?? false,
    sortDate: item.sort_date,
    version: toInteger(item.version),
  };
}

/** An invoice in a list, as it is stored: an item of its own, so that a page of a list is read in one go. */
export interface InvoiceRowItem extends Key, Attributes {
  readonly invoice_id: string;
  readonly state_code: StateCode;
  readonly search_text: string;
}

/** The stored rows of an invoice: one in the list of all invoices, and one in the list of its state. */
export function rowsOf(scope: SupplierScope, invoice: Invoice): [inAll: InvoiceRowItem, inState: InvoiceRowItem] {
  const position = positionOf(invoice);
  const attributes = {
    ...fromListed(invoice),
    invoice_id: invoice.invoiceId,
    state_code: invoice.state,
    search_text: searchTextOf(invoice),
  };
  return [
    { ...rowKey(scope, position, null), ...attributes },
    { ...rowKey(scope, position, invoice.state), ...attributes },
  ];
}

/** The keys of the rows that an invoice no longer has after a change; `before` is null when it is new. */
export function rowsLeft(scope: SupplierScope, { before, after }: Pick<InvoiceChange, 'before' | 'after'>): Key[] {
  if (!before) return [];
  const position = positionOf(before);
  const isMoved = position !== positionOf(after);
  return [
    ...(isMoved ? [rowKey(scope, position, null)] : []),
    ...(isMoved || before.state !== after.state ? [rowKey(scope, position, before.state)] : []),
  ];
}

/** Reads what lists and searches go by of a row. */
export function toEntry(item: Pick<InvoiceRowItem, 'sk' | 'state_code' | 'search_text'>): ListEntry {
  return { position: positionOfRow(item.sk), state: item.state_code, text: item.search_text };
}

/** What a list shows of an invoice, as it is stored on the invoice and on its rows; what is not known is absent. */
function fromListed(row: InvoiceRow): Attributes {
  const attributes = {
    ...listedFields.write(row),
    ...(row.declaration && declaredFields.write(row.declaration)),
    ...providerInvoiceFields.write(row.providerInvoice),
  };
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
}

/** Reads what a list shows of an invoice. */
export function toListed(invoiceId: string, item: Attributes): InvoiceRow {
  return {
    invoiceId,
    ...listedFields.read(item),
    declaration: 'declaration_id' in item ? declaredFields.read(item) : null,
    providerInvoice: providerInvoiceFields.read(item),
  };
}

/**
 * The bytes that the largest item of an invoice could take with its declarations. It fits the table when they are at
 * most MAX_ITEM_BYTES.
 */
export function declarableBytes(scope: SupplierScope, invoice: Invoice): number {
  const declared = withLargestDeclaration(invoice);
  const items = [fromInvoice(scope, declared), ...rowsOf(scope, declared)];
  return Math.max(...items.map(itemBytes));
}
