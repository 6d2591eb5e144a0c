import { withLargestDeclaration } from '../../domain/largest-declaration.ts';
import type { Concept, Invoice, SupplierScope } from '../../domain/invoice.ts';
import type { OutcomeMark } from '../../domain/tolerance.ts';
import { itemBytes } from '../dynamodb/item-size.ts';
import type { Key } from '../dynamodb/key.ts';
import { fromInteger, type StoredNumber, toInteger } from '../dynamodb/numbers.ts';
import { fromListed, rowsOf, toListed } from './invoice-row-items.ts';
import { invoiceKey } from './keys.ts';
import { type Attributes, DECIMAL, storedFields } from './stored-fields.ts';

const conceptFields = storedFields<Concept>({
  conceptId: 'concept_id',
  description: 'description',
  unitAmount: ['unit_amount', DECIMAL],
  quantity: ['quantity', DECIMAL],
  taxPct: ['tax_pct', DECIMAL],
  total: ['total', DECIMAL],
});

const outcomeFields = storedFields<OutcomeMark>({
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

/**
 * The bytes that the largest item of an invoice could take with its declarations. It fits the table when they are at
 * most MAX_ITEM_BYTES.
 */
export function declarableBytes(scope: SupplierScope, invoice: Invoice): number {
  const declared = withLargestDeclaration(invoice);
  const items = [fromInvoice(scope, declared), ...rowsOf(scope, declared)];
  return Math.max(...items.map(itemBytes));
}
