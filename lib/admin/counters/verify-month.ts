import { isDeepStrictEqual } from 'node:util';
import type { SupplierScope } from '../../domain/invoice.ts';
import { type Backoff, jitteredPause } from '../../runtime/backoff.ts';
import type { CounterAudit, MonthCounts } from '../../storage/counter-audit.ts';

/**
 * A counter that does not say how many invoices there are; `state` is what it claims to be, known or not. Without a
 * state, it is the day's fingerprint.
 */
export interface CounterDifference {
  readonly day: string;
  readonly state: string;
  readonly counted: number;
  readonly stored: number;
}

/** What a month was found to be; busy: it kept being changed while it was counted. */
export type MonthVerdict =
  | { readonly kind: 'busy' }
  | {
      readonly kind: 'counted';
      readonly invoices: number;
      readonly differences: readonly CounterDifference[];
      readonly repaired: boolean;
    };

// A name without a state is that of a day's fingerprint.
const DAY_DIGITS = 2;
const MAX_ATTEMPTS = 12;
const BACKOFF: Backoff = { firstMs: 10, longestMs: 1000 };

/**
 * Compares a month's counters with its invoices, exactly, whatever the service writes meanwhile; sets them right if it
 * shall.
 */
export async function verifyMonth(
  audit: Pick<CounterAudit, 'read' | 'recount' | 'correct'>,
  scope: SupplierScope,
  month: string,
  { repair }: { repair: boolean },
): Promise<MonthVerdict> {
  let suspected: CounterDifference[] = [];
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (attempt > 0) await jitteredPause(attempt, BACKOFF);
    const stored = await audit.read(scope, month);
    const counted = await audit.recount(scope, month);
    if (!isDeepStrictEqual(await audit.read(scope, month), stored)) continue;

    const differences = differencesOf(month, counted, stored.sums);
    const isRight = differences.length === 0;
    // The writes of one transaction become visible one by one: a difference is one when it is found twice.
    if (!isRight && !isDeepStrictEqual(differences, suspected)) {
      suspected = differences;
      continue;
    }
    const repaired = repair && !isRight;
    if (repaired && !(await audit.correct(scope, month, stored, correctionsOf(differences)))) continue;
    const invoices = [...counted].reduce((sum, [name, count]) => (name.length > DAY_DIGITS ? sum + count : sum), 0);
    return { kind: 'counted', invoices, differences, repaired };
  }
  return { kind: 'busy' };
}

function differencesOf(month: string, counted: MonthCounts, stored: MonthCounts): CounterDifference[] {
  return [...new Set([...counted.keys(), ...stored.keys()])]
    .toSorted()
    .map((name) => ({
      day: `${month}-${name.slice(0, 2)}`,
      state: name.slice(DAY_DIGITS),
      counted: counted.get(name) ?? 0,
      stored: stored.get(name) ?? 0,
    }))
    .filter((counter) => counter.counted !== counter.stored);
}

function correctionsOf(differences: readonly CounterDifference[]): MonthCounts {
  return new Map(differences.map(({ day, state, counted, stored }) => [day.slice(8) + state, counted - stored]));
}
