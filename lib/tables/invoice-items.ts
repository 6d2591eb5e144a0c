import { CONCEPT_FIELDS, INVOICE_FIELDS, type ImportedProperties } from '../domain/invoice-fields.ts';
import type {
  Concept,
  CurrentDeclaration,
  Invoice,
  InvoiceRow,
  ProviderInvoice,
  SupplierScope,
} from '../domain/invoice.ts';
import { buildSearchText } from '../domain/list-entry.ts';
import type { OutcomeSnapshot } from '../domain/tolerance.ts';
import { fromInteger, computeItemBytes, type StoredNumber, toInteger } from './dynamodb/values.ts';
import type { Key } from './dynamodb/reads.ts';
import { buildInvoiceKey, buildListPosition, isWithdrawnPosition } from './keys.ts';
import { type Attributes, DECIMAL, INTEGER, createItemConverter, mapPropertiesToAttributes } from './stored-fields.ts';

/** The attributes of a declaration that are the same in the invoice and in its history, except the time. */
export const DECLARATION_ATTRIBUTES = {
  declarationId: 'declaration_id',
  revision: ['declaration_revision', INTEGER],
  amount: ['declared_amount', DECIMAL],
  notes: 'declared_notes',
  taxPct: ['declared_tax_pct', DECIMAL],
  declaredBy: 'declared_by',
} as const;

const declarationConverter = createItemConverter<CurrentDeclaration>({
  ...DECLARATION_ATTRIBUTES,
  declaredAt: 'declared_at',
});

/** The converter of the supplier's own invoice. Its attributes are the same in the invoice and in its history. */
export const providerInvoiceConverter = createItemConverter<ProviderInvoice>({
  number: 'provider_invoice_number',
  date: 'provider_invoice_date',
});

const listedConverter = createItemConverter<ImportedProperties & Pick<InvoiceRow, 'state'>>({
  ...mapPropertiesToAttributes(INVOICE_FIELDS),
  state: 'state_code',
});

/** The names of the attributes that `toListedInvoice` reads. */
export const LISTED_ATTRIBUTES: readonly string[] = [
  listedConverter,
  declarationConverter,
  providerInvoiceConverter,
].flatMap(({ attributeNames }) => attributeNames);

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
  /** The sort key of the index of lists. The index also contains `state_code`, `search_text` and `changed_at`. */
  readonly list_position: string;
  readonly search_text: string;
  readonly sort_date: string;
  readonly version: StoredNumber;
  readonly changed_at: string;
  readonly created_by?: string;
}

export function fromInvoice(scope: SupplierScope, invoice: Invoice): InvoiceItem {
  return {
    ...buildInvoiceKey(scope, invoice.invoiceId),
    list_position: buildListPosition(invoice),
    search_text: buildSearchText(invoice),
    ...buildListedAttributes(invoice),
    ...(invoice.declaredOutcome && {
      declared_outcome: outcomeSnapshotConverter.toAttributes(invoice.declaredOutcome),
    }),
    ...(invoice.requiresManualReview && { held_for_review: true }),
    concepts: invoice.concepts.map(conceptConverter.toAttributes),
    sort_date: invoice.sortDate,
    version: fromInteger(invoice.version),
    changed_at: invoice.changedAt,
    ...(invoice.createdBy !== null && { created_by: invoice.createdBy }),
  };
}

export function toInvoice(item: InvoiceItem): Invoice {
  return {
    ...toListedInvoice(item.sk, item),
    concepts: item.concepts.map(conceptConverter.fromAttributes),
    declaredOutcome: item.declared_outcome ? outcomeSnapshotConverter.fromAttributes(item.declared_outcome) : null,
    requiresManualReview: item.held_for_review ?? false,
    sortDate: item.sort_date,
    isWithdrawn: isWithdrawnPosition(item.list_position),
    version: toInteger(item.version),
    changedAt: item.changed_at,
    createdBy: item.created_by ?? null,
  };
}

/** Converts an item to an invoice, or to null if the company has withdrawn it. All requests of suppliers read so. */
export function toVisibleInvoice(item: InvoiceItem): Invoice | null {
  return isWithdrawnPosition(item.list_position) ? null : toInvoice(item);
}

/** Builds the attributes of listed fields. A property that is null gets no attribute. */
function buildListedAttributes(row: InvoiceRow): Attributes {
  const attributes = {
    ...listedConverter.toAttributes(row),
    ...(row.declaration && declarationConverter.toAttributes(row.declaration)),
    ...providerInvoiceConverter.toAttributes(row.providerInvoice),
  };
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
}

/** Converts the listed attributes of an item. The item can lack all other attributes. */
export function toListedInvoice(invoiceId: string, item: Attributes): InvoiceRow {
  return {
    invoiceId,
    ...listedConverter.fromAttributes(item),
    declaration: 'declaration_id' in item ? declarationConverter.fromAttributes(item) : null,
    providerInvoice: providerInvoiceConverter.fromAttributes(item),
  };
}

/** An upper bound of the bytes that a declaration adds to an invoice, and a change to the old values in its history. */
export const MAX_CHANGE_BYTES = 24_000;

const NO_PROVIDER_INVOICE: ProviderInvoice = { number: null, date: null };

/** Computes the largest size that an invoice can have, or the item of its history. The limit is MAX_ITEM_BYTES. */
export function computeMaxItemBytes(scope: SupplierScope, invoice: Invoice): number {
  const undeclared = { ...invoice, declaration: null, declaredOutcome: null, providerInvoice: NO_PROVIDER_INVOICE };
  return computeInvoiceBytes(fromInvoice(scope, undeclared)) + MAX_CHANGE_BYTES;
}

/** Computes the size of an invoice. DynamoDB also counts its entry in the local index of lists. */
export function computeInvoiceBytes(item: InvoiceItem): number {
  const { pk, sk, list_position, search_text, changed_at } = item;
  const entry = { pk, sk, list_position, state_code: item['state_code'], search_text, changed_at };
  return computeItemBytes(item) + computeItemBytes(entry);
}
