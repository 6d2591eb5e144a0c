import { CONCEPT_FIELDS, INVOICE_FIELDS, type ImportedProperties } from '../domain/invoice-fields.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import type {
  Concept,
  CurrentDeclaration,
  Invoice,
  InvoiceRow,
  ProviderInvoice,
  SupplierScope,
} from '../domain/invoice.ts';
import { type ListEntry, positionOf, searchTextOf } from '../domain/list-entry.ts';
import type { OutcomeSnapshot } from '../domain/tolerance.ts';
import type { InvoiceChange } from '../invoices/transactions.ts';
import { fromInteger, computeItemBytes, type StoredNumber, toInteger } from './dynamodb/values.ts';
import type { Key } from './dynamodb/reads.ts';
import { buildInvoiceKey, parseRowPosition, buildRowKey } from './keys.ts';
import { type Attributes, DECIMAL, INTEGER, createItemConverter, mapPropertiesToAttributes } from './stored-fields.ts';

/** The attributes of a declaration, on the invoice and in its history. */
export const declaredFields = createItemConverter<CurrentDeclaration>({
  declarationId: 'declaration_id',
  revision: ['declaration_revision', INTEGER],
  amount: ['declared_amount', DECIMAL],
  notes: 'declared_notes',
  taxPct: ['declared_tax_pct', DECIMAL],
});

/** The attributes of the supplier's own invoice, on the invoice and in its declaration history. */
export const providerInvoiceFields = createItemConverter<ProviderInvoice>({
  number: 'provider_invoice_number',
  date: 'provider_invoice_date',
});

const listedFields = createItemConverter<ImportedProperties & Pick<InvoiceRow, 'state'>>({
  ...mapPropertiesToAttributes(INVOICE_FIELDS),
  state: 'state_code',
});

// PURE: a bundle leaves out the tables that its function does not use.
const conceptFields = /* @__PURE__ */ createItemConverter<Concept>(
  /* @__PURE__ */ mapPropertiesToAttributes(CONCEPT_FIELDS),
);

const outcomeFields = /* @__PURE__ */ createItemConverter<OutcomeSnapshot>({
  withinTolerance: 'within_tolerance',
  difference: ['difference', DECIMAL],
  action: 'action',
  source: 'source',
});

export interface InvoiceItem extends Key, Attributes {
  readonly declared_outcome?: Attributes;
  readonly held_for_review?: true;
  readonly concepts: readonly Attributes[];
  readonly sort_date: string;
  readonly version: StoredNumber;
}

export function fromInvoice(scope: SupplierScope, invoice: Invoice): InvoiceItem {
  return {
    ...buildInvoiceKey(scope, invoice.invoiceId),
    ...fromListed(invoice),
    ...(invoice.declaredOutcome && { declared_outcome: outcomeFields.write(invoice.declaredOutcome) }),
    ...(invoice.requiresManualReview && { held_for_review: true }),
    concepts: invoice.concepts.map(conceptFields.write),
    sort_date: invoice.sortDate,
    version: fromInteger(invoice.version),
  };
}

export function toInvoice(item: InvoiceItem): Invoice {
  return {
    ...toListed(item.sk, item),
    concepts: item.concepts.map(conceptFields.read),
    declaredOutcome: item.declared_outcome ? outcomeFields.read(item.declared_outcome) : null,
    requiresManualReview: item.held_for_review ?? false,
    sortDate: item.sort_date,
    version: toInteger(item.version),
  };
}

/** A stored row of a list. Rows are items of their own, so that one query reads a page. */
export interface InvoiceRowItem extends Key, Attributes {
  readonly invoice_id: string;
  readonly state_code: StateCode;
  readonly search_text: string;
}

/** Builds the rows of an invoice: one in the list of all invoices, and one in the list of its state. */
export function buildRows(scope: SupplierScope, invoice: Invoice): [inAll: InvoiceRowItem, inState: InvoiceRowItem] {
  const position = positionOf(invoice);
  const attributes = {
    ...fromListed(invoice),
    invoice_id: invoice.invoiceId,
    state_code: invoice.state,
    search_text: searchTextOf(invoice),
  };
  return [
    { ...buildRowKey(scope, position, null), ...attributes },
    { ...buildRowKey(scope, position, invoice.state), ...attributes },
  ];
}

/** Returns the keys of the rows that an invoice no longer has after a change; `before` is null for a new invoice. */
export function staleRowKeys(scope: SupplierScope, { before, after }: Pick<InvoiceChange, 'before' | 'after'>): Key[] {
  if (!before) return [];
  const position = positionOf(before);
  const isMoved = position !== positionOf(after);
  return [
    ...(isMoved ? [buildRowKey(scope, position, null)] : []),
    ...(isMoved || before.state !== after.state ? [buildRowKey(scope, position, before.state)] : []),
  ];
}

export function toEntry(item: Pick<InvoiceRowItem, 'sk' | 'state_code' | 'search_text'>): ListEntry {
  return { position: parseRowPosition(item.sk), state: item.state_code, text: item.search_text };
}

/** Builds the attributes that lists show, which the invoice and its rows have; unknown values are absent. */
function fromListed(row: InvoiceRow): Attributes {
  const attributes = {
    ...listedFields.write(row),
    ...(row.declaration && declaredFields.write(row.declaration)),
    ...providerInvoiceFields.write(row.providerInvoice),
  };
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
}

export function toListed(invoiceId: string, item: Attributes): InvoiceRow {
  return {
    invoiceId,
    ...listedFields.read(item),
    declaration: 'declaration_id' in item ? declaredFields.read(item) : null,
    providerInvoice: providerInvoiceFields.read(item),
  };
}

/** More bytes than the largest declaration adds to an item of an invoice. */
export const MAX_DECLARATION_BYTES = 10_000;

/**
 * Computes the maximum size in bytes of the items of an invoice with any declaration. The invoice can be stored if the
 * size is at most MAX_ITEM_BYTES.
 */
export function computeMaxItemBytes(scope: SupplierScope, invoice: Invoice): number {
  const undeclared = { ...invoice, declaration: null, declaredOutcome: null, providerInvoice: NO_PROVIDER_INVOICE };
  const items = [fromInvoice(scope, undeclared), ...buildRows(scope, undeclared)];
  return Math.max(...items.map(computeItemBytes)) + MAX_DECLARATION_BYTES;
}

const NO_PROVIDER_INVOICE: ProviderInvoice = { number: null, date: null };
