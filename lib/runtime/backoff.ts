import { setTimeout } from 'node:timers/promises';

/** How long pauses may be: the first one, and the longest one. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * How long to pause before a repetition (1 is the first one). The time is random, so that writers that met once do not
 * meet again; its upper bound doubles with each repetition.
 */
export function jitteredMs(repetition: number, { firstMs, longestMs }: Backoff): number {
  return Math.random() * Math.min(longestMs, firstMs * 2 ** (repetition - 1));
}

/** Pauses before a repetition (1 is the first one), as long as `jitteredMs` says. */
export async function jitteredPause(repetition: number, backoff: Backoff): Promise<void> {
  await pause(jitteredMs(repetition, backoff));
}

/** Pauses for this long. */
export async function pause(ms: number): Promise<void> {
  await setTimeout(ms);
}
