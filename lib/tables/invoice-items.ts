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
import { type ListEntry, buildPosition, buildSearchText } from '../domain/list-entry.ts';
import type { OutcomeSnapshot } from '../domain/tolerance.ts';
import type { InvoiceChange } from '../invoices/transactions.ts';
import { fromInteger, computeItemBytes, type StoredNumber, toInteger } from './dynamodb/values.ts';
import type { Key } from './dynamodb/reads.ts';
import { buildInvoiceKey, buildRowKey, buildWithdrawnKey, parseInvoiceSortKey, parseRowPosition } from './keys.ts';
import { type Attributes, DECIMAL, INTEGER, createItemConverter, mapPropertiesToAttributes } from './stored-fields.ts';

/** The converter of a declaration. The attributes are the same in the invoice and in the declaration history. */
export const declarationConverter = createItemConverter<CurrentDeclaration>({
  declarationId: 'declaration_id',
  revision: ['declaration_revision', INTEGER],
  amount: ['declared_amount', DECIMAL],
  notes: 'declared_notes',
  taxPct: ['declared_tax_pct', DECIMAL],
});

/**
 * The converter of the supplier's own invoice. Its attributes, too, are the same in the invoice and in the declaration
 * history.
 */
export const providerInvoiceConverter = createItemConverter<ProviderInvoice>({
  number: 'provider_invoice_number',
  date: 'provider_invoice_date',
});

const listedConverter = createItemConverter<ImportedProperties & Pick<InvoiceRow, 'state'>>({
  ...mapPropertiesToAttributes(INVOICE_FIELDS),
  state: 'state_code',
});

// The annotation PURE allows the bundler to omit a converter that no code in the bundle uses.
const conceptConverter = /* @__PURE__ */ createItemConverter<Concept>(
  /* @__PURE__ */ mapPropertiesToAttributes(CONCEPT_FIELDS),
);

const outcomeSnapshotConverter = /* @__PURE__ */ createItemConverter<OutcomeSnapshot>({
  isWithinTolerance: 'within_tolerance',
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

/** Returns the primary key at which an invoice is stored. The invoice moves when it is withdrawn or restored. */
export function getStoredKey(scope: SupplierScope, { invoiceId, isWithdrawn }: Invoice): Key {
  return isWithdrawn ? buildWithdrawnKey(scope, invoiceId) : buildInvoiceKey(scope, invoiceId);
}

export function fromInvoice(scope: SupplierScope, invoice: Invoice): InvoiceItem {
  return {
    ...getStoredKey(scope, invoice),
    ...buildListedAttributes(invoice),
    ...(invoice.declaredOutcome && {
      declared_outcome: outcomeSnapshotConverter.toAttributes(invoice.declaredOutcome),
    }),
    ...(invoice.requiresManualReview && { held_for_review: true }),
    concepts: invoice.concepts.map(conceptConverter.toAttributes),
    sort_date: invoice.sortDate,
    version: fromInteger(invoice.version),
  };
}

export function toInvoice(item: InvoiceItem): Invoice {
  const { invoiceId, isWithdrawn } = parseInvoiceSortKey(item.sk);
  return {
    ...toListedInvoice(invoiceId, item),
    concepts: item.concepts.map(conceptConverter.fromAttributes),
    declaredOutcome: item.declared_outcome ? outcomeSnapshotConverter.fromAttributes(item.declared_outcome) : null,
    requiresManualReview: item.held_for_review ?? false,
    sortDate: item.sort_date,
    isWithdrawn,
    version: toInteger(item.version),
  };
}

/** A stored row of a list. Each row contains all listed fields, so that one query reads a page. */
export interface InvoiceRowItem extends Key, Attributes {
  readonly invoice_id: string;
  readonly state_code: StateCode;
  readonly search_text: string;
}

export function buildRows(scope: SupplierScope, invoice: Invoice): [inAll: InvoiceRowItem, inState: InvoiceRowItem] {
  const position = buildPosition(invoice);
  const sharedAttributes = {
    ...buildListedAttributes(invoice),
    invoice_id: invoice.invoiceId,
    state_code: invoice.state,
    search_text: buildSearchText(invoice),
  };
  return [
    { ...buildRowKey(scope, position, null), ...sharedAttributes },
    { ...buildRowKey(scope, position, invoice.state), ...sharedAttributes },
  ];
}

export function findStaleRowKeys(
  scope: SupplierScope,
  { before, after }: Pick<InvoiceChange, 'before' | 'after'>,
): Key[] {
  if (!before || before.isWithdrawn) return [];
  const position = buildPosition(before);
  const isRemoved = after.isWithdrawn || position !== buildPosition(after);
  const staleKeys: Key[] = [];
  if (isRemoved) staleKeys.push(buildRowKey(scope, position, null));
  if (isRemoved || before.state !== after.state) staleKeys.push(buildRowKey(scope, position, before.state));
  return staleKeys;
}

export function toRowEntry(item: Pick<InvoiceRowItem, 'sk' | 'state_code' | 'search_text'>): ListEntry {
  return { position: parseRowPosition(item.sk), state: item.state_code, text: item.search_text };
}

/** Builds the attributes of listed fields, for the invoice and its rows. A property that is null gets no attribute. */
function buildListedAttributes(row: InvoiceRow): Attributes {
  const attributes = {
    ...listedConverter.toAttributes(row),
    ...(row.declaration && declarationConverter.toAttributes(row.declaration)),
    ...providerInvoiceConverter.toAttributes(row.providerInvoice),
  };
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
}

export function toListedInvoice(invoiceId: string, item: Attributes): InvoiceRow {
  return {
    invoiceId,
    ...listedConverter.fromAttributes(item),
    declaration: 'declaration_id' in item ? declarationConverter.fromAttributes(item) : null,
    providerInvoice: providerInvoiceConverter.fromAttributes(item),
  };
}

/** An upper bound of the bytes that a declaration adds to an invoice or to a row. */
export const MAX_DECLARATION_BYTES = 10_000;

const NO_PROVIDER_INVOICE: ProviderInvoice = { number: null, date: null };

/** Computes the size of the largest item of an invoice with the largest declaration. The limit is MAX_ITEM_BYTES. */
export function computeMaxItemBytes(scope: SupplierScope, invoice: Invoice): number {
  const undeclared = { ...invoice, declaration: null, declaredOutcome: null, providerInvoice: NO_PROVIDER_INVOICE };
  const items = [fromInvoice(scope, undeclared), ...buildRows(scope, undeclared)];
  return Math.max(...items.map(computeItemBytes)) + MAX_DECLARATION_BYTES;
}
