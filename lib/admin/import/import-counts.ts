import { decimal, type Decimal } from '../../domain/money.ts';
import type { ImportResult } from './import-supplier.ts';
import type { KeptState } from './kept-state.ts';

/** The system amounts that an import has changed: how many, their sums before and after, and the sum of all changes. */
export interface AmountChanges {
  count: number;
  before: Decimal;
  after: Decimal;
  /** The sum of all changes without their signs: opposite changes do not cancel each other out. */
  absolute: Decimal;
}

/** How many records were read, by what became of them, and what else the summary of an import names. */
export interface ImportCounts {
  created: number;
  changed: number;
  unchanged: number;
  rejected: number;
  /** How many records were left out because they repeat another one. */
  repeated: number;
  statesKept: number;
  readonly firstStatesKept: KeptState[];
  readonly amounts: AmountChanges;
}

/** How many of the states that were kept are named. */
const NAMED_STATES = 20;

/** Creates the counts before the first record. */
export function noCounts(): ImportCounts {
  const amounts = { count: 0, before: decimal(0), after: decimal(0), absolute: decimal(0) };
  return {
    created: 0,
    changed: 0,
    unchanged: 0,
    rejected: 0,
    repeated: 0,
    statesKept: 0,
    firstStatesKept: [],
    amounts,
  };
}

/** Counts what became of a record that was not rejected. */
export function addResult(counts: ImportCounts, { outcome, amountChange }: ImportResult): void {
  if (typeof outcome === 'string') counts[outcome] += 1;
  if (!amountChange) return;
  const { from, to } = amountChange;
  const { amounts } = counts;
  amounts.count += 1;
  amounts.before = amounts.before.plus(from);
  amounts.after = amounts.after.plus(to);
  amounts.absolute = amounts.absolute.plus(to.minus(from).abs());
}

/** Counts states that were kept, and keeps the first of them. */
export function addKeptStates(counts: ImportCounts, states: readonly KeptState[]): void {
  counts.statesKept += states.length;
  counts.firstStatesKept.push(...states.slice(0, NAMED_STATES - counts.firstStatesKept.length));
}
