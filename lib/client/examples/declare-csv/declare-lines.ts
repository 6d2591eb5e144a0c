import { checkAmounts } from './check-amounts.ts';
import { BATCH_SIZE, declareBatches } from './declare-batches.ts';
import type { DeclareOptions } from './declare-options.ts';
import type { LineResult, Results } from './line-result.ts';
import type { InvoiceLine } from './parse-invoices.ts';

const CHECKS_A_MINUTE = 30;
const BATCHES_A_MINUTE = 10;

/** What became of every line and, if it ended before all were dealt with, by what. */
export interface Run {
  readonly results: Results;
  readonly stoppedBy?: unknown;
}

/** Logs in, checks every line, then declares those that passed. It never throws: see `stoppedBy`. */
export async function declareLines(lines: readonly InvoiceLine[], options: DeclareOptions): Promise<Run> {
  const outcome = options.checkOnly ? 'not_checked' : 'not_declared';
  const results = new Map<InvoiceLine, LineResult>(lines.map((line) => [line, { outcome }]));
  try {
    // Whom the service does not let in is told once, and not with every line.
    await options.client.login({ signal: options.signal });
    await checkAmounts(results, options);
    if (!options.checkOnly) await declareBatches(results, options);
    return { results };
  } catch (stoppedBy) {
    return { results, stoppedBy };
  } finally {
    options.progress.end();
  }
}

/** About how many minutes the limits of the service make so many lines take. */
export function estimatedMinutes(lines: number): number {
  const waits = (requests: number, limit: number) => Math.max(0, Math.ceil(requests / limit) - 1);
  return waits(lines, CHECKS_A_MINUTE) + waits(Math.ceil(lines / BATCH_SIZE), BATCHES_A_MINUTE);
}
