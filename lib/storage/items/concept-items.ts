import type { Concept } from '../../domain/invoice.ts';
import { fromDecimal, type StoredNumber, toDecimal } from '../dynamodb/numbers.ts';

/** A line item of an invoice as it is stored. */
export interface ConceptItem {
  readonly concept_id: string;
  readonly description: string;
  readonly unit_amount: StoredNumber;
  readonly quantity: StoredNumber;
  readonly tax_pct: StoredNumber;
  readonly total: StoredNumber;
}

/** The stored form of a line item. */
export function fromConcept(concept: Concept): ConceptItem {
  return {
    concept_id: concept.conceptId,
    description: concept.description,
    unit_amount: fromDecimal(concept.unitAmount),
    quantity: fromDecimal(concept.quantity),
    tax_pct: fromDecimal(concept.taxPct),
    total: fromDecimal(concept.total),
  };
}

/** Reads a line item. */
export function toConcept(item: ConceptItem): Concept {
  return {
    conceptId: item.concept_id,
    description: item.description,
    unitAmount: toDecimal(item.unit_amount),
    quantity: toDecimal(item.quantity),
    taxPct: toDecimal(item.tax_pct),
    total: toDecimal(item.total),
  };
}
