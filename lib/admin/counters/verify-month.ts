import { isDeepStrictEqual } from 'node:util';
import type { SupplierScope } from '../../domain/invoice.ts';
import { limitedAttempts } from '../../runtime/attempts.ts';
import { RETRIES, type VerifyOptions } from './findings.ts';
import type { CounterAudit, MonthCounts } from '../ports/audits.ts';

// A name without a state is that of a day's fingerprint.
const DAY_DIGITS = 2;

/**
 * Compares a month's counters with its invoices, exactly, whatever the service writes meanwhile; sets them right if it
 * shall. It counts the invoices by their rows, but for those whose rows are distrusted. Gives how many there are.
 */
export async function verifyMonth(
  audit: Pick<CounterAudit, 'read' | 'recount' | 'correct'>,
  scope: SupplierScope,
  month: string,
  { repair, report, distrusted }: VerifyOptions & { readonly distrusted: ReadonlySet<string> },
): Promise<number> {
  let suspected: unknown;
  for await (const _ of limitedAttempts(RETRIES)) {
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
    const corrections = new Map(differences.map((one) => [one.name, one.counted - one.stored]));
    if (repaired && !(await audit.correct(scope, month, stored, corrections))) continue;

    for (const { name, ...numbers } of differences) {
      const [day, state] = [`${month}-${name.slice(0, DAY_DIGITS)}`, name.slice(DAY_DIGITS)];
      report(state ? { kind: 'counter', day, state, ...numbers, repaired } : { kind: 'fingerprint', day, repaired });
    }
    return [...counted].reduce((sum, [name, count]) => (name.length > DAY_DIGITS ? sum + count : sum), 0);
  }
  report({ kind: 'busy', month });
  return 0;
}

function differencesOf(counted: MonthCounts, stored: MonthCounts) {
  return [...new Set([...counted.keys(), ...stored.keys()])]
    .toSorted()
    .map((name) => ({ name, counted: counted.get(name) ?? 0, stored: stored.get(name) ?? 0 }))
    .filter((one) => one.counted !== one.stored);
}
