import type { Invoice, SupplierScope } from '../../domain/invoice.ts';
import type { Key } from '../dynamodb/key.ts';
import { fromInteger, type StoredNumber, toInteger } from '../dynamodb/numbers.ts';
import { type ConceptItem, fromConcept, toConcept } from './concept-items.ts';
import { fromListed, type ListedAttributes, toListed } from './invoice-row-items.ts';
import { invoiceKey } from './keys.ts';
import { fromOutcomeMark, type OutcomeMarkItem, toOutcomeMark } from './outcome-mark-items.ts';

/** An invoice as it is stored. */
export interface InvoiceItem extends Key, ListedAttributes {
  readonly declared_outcome?: OutcomeMarkItem;
  readonly held_for_review?: true;
  readonly concepts: readonly ConceptItem[];
  readonly sort_date: string;
  readonly version: StoredNumber;
}

/** The stored form of an invoice. */
export function fromInvoice(scope: SupplierScope, invoice: Invoice): InvoiceItem {
  return {
    ...invoiceKey(scope, invoice.invoiceId),
    ...fromListed(invoice),
    ...(invoice.declaredOutcome && { declared_outcome: fromOutcomeMark(invoice.declaredOutcome) }),
    ...(invoice.heldForReview && { held_for_review: true }),
    concepts: invoice.concepts.map(fromConcept),
    sort_date: invoice.sortDate,
    version: fromInteger(invoice.version),
  };
}

/** Reads an invoice. */
export function toInvoice(item: InvoiceItem): Invoice {
  return {
    ...toListed(item.sk, item),
    concepts: item.concepts.map(toConcept),
    declaredOutcome: item.declared_outcome ? toOutcomeMark(item.declared_outcome) : null,
    heldForReview: item.held_for_review ?? false,
    sortDate: item.sort_date,
    version: toInteger(item.version),
  };
}
