import { isDeepStrictEqual } from 'node:util';
import type { SupplierScope } from '../../domain/invoice.ts';
import { type Backoff, jitteredPause } from '../../runtime/backoff.ts';
import type { CounterAudit, MonthCounts } from '../../storage/audit/counter-audit.ts';

/**
 * What the counters of a day say otherwise than its invoices: how many of them are in a state (known or not), or which
 * they are.
 */
export type CounterDifference =
  | {
      readonly kind: 'counter';
      readonly day: string;
      readonly state: string;
      readonly counted: number;
      readonly stored: number;
    }
  | { readonly kind: 'fingerprint'; readonly day: string };

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
 * shall. It counts the invoices by their rows, but for those whose rows are distrusted.
 */
export async function verifyMonth(
  audit: Pick<CounterAudit, 'read' | 'recount' | 'correct'>,
  scope: SupplierScope,
  month: string,
  { repair, distrusted }: { repair: boolean; distrusted: ReadonlySet<string> },
): Promise<MonthVerdict> {
  let suspected: Difference[] = [];
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (attempt > 0) await jitteredPause(attempt, BACKOFF);
    const stored = await audit.read(scope, month);
    const counted = await audit.recount(scope, month, distrusted);
    if (!isDeepStrictEqual(await audit.read(scope, month), stored)) continue;

    const differences = differencesOf(counted, stored.sums);
    const isRight = differences.length === 0;
    // The writes of one transaction become visible one by one: a difference is one when it is found twice.
    if (!isRight && !isDeepStrictEqual(differences, suspected)) {
      suspected = differences;
      continue;
    }
    const repaired = repair && !isRight;
    if (repaired && !(await audit.correct(scope, month, stored, correctionsOf(differences)))) continue;
    const invoices = [...counted].reduce((sum, [name, count]) => (name.length > DAY_DIGITS ? sum + count : sum), 0);
    return { kind: 'counted', invoices, differences: differences.map((one) => toldOf(month, one)), repaired };
  }
  return { kind: 'busy' };
}

/** Two numbers under one name in a month's items. */
interface Difference {
  readonly name: string;
  readonly counted: number;
  readonly stored: number;
}

function differencesOf(counted: MonthCounts, stored: MonthCounts): Difference[] {
  return [...new Set([...counted.keys(), ...stored.keys()])]
    .toSorted()
    .map((name) => ({ name, counted: counted.get(name) ?? 0, stored: stored.get(name) ?? 0 }))
    .filter((one) => one.counted !== one.stored);
}

function correctionsOf(differences: readonly Difference[]): MonthCounts {
  return new Map(differences.map(({ name, counted, stored }) => [name, counted - stored]));
}

function toldOf(month: string, { name, counted, stored }: Difference): CounterDifference {
  const day = `${month}-${name.slice(0, DAY_DIGITS)}`;
  const state = name.slice(DAY_DIGITS);
  return state ? { kind: 'counter', day, state, counted, stored } : { kind: 'fingerprint', day };
}
