import type { Action, OutcomeMark, ToleranceSource } from '../../domain/tolerance.ts';
import { fromDecimal, type StoredNumber, toDecimal } from '../dynamodb/numbers.ts';

/** What an invoice keeps of the outcome of its declaration; no index projects it. */
export interface OutcomeMarkItem {
  readonly within_tolerance: boolean;
  readonly difference: StoredNumber;
  readonly action: Action;
  readonly source: ToleranceSource;
}

/** The stored form of what an invoice keeps of an outcome. */
export function fromOutcomeMark({ withinTolerance, difference, action, source }: OutcomeMark): OutcomeMarkItem {
  return { within_tolerance: withinTolerance, difference: fromDecimal(difference), action, source };
}

/** Reads what an invoice keeps of an outcome. */
export function toOutcomeMark({ within_tolerance, difference, action, source }: OutcomeMarkItem): OutcomeMark {
  return { withinTolerance: within_tolerance, difference: toDecimal(difference), action, source };
}
