/** How long calls took, in milliseconds. */
export interface Timing {
  readonly median: number;
  readonly p95: number;
}

/** A call to be timed; it is given how many there were before it. */
export type TimedCall = (index: number) => Promise<unknown>;

const WARM_UP = 5;

/**
 * Times calls one after the other, each in its turn, so that what the machine does meanwhile meets all alike; `prepare`
 * is not timed.
 */
export async function measure<Name extends string>(
  calls: Readonly<Record<Name, TimedCall>>,
  { rounds, prepare }: { readonly rounds: number; readonly prepare: () => Promise<void> },
): Promise<Record<Name, Timing>> {
  const entries = Object.entries<TimedCall>(calls).map(([name, call]) => ({ name, call, times: [] as number[] }));
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const { call, times } of entries) {
      await prepare();
      const startedMs = performance.now();
      await call(round + WARM_UP);
      if (round >= 0) times.push(performance.now() - startedMs);
    }
  }
  return Object.fromEntries(entries.map(({ name, times }) => [name, timingOf(times)])) as Record<Name, Timing>;
}

function timingOf(times: readonly number[]): Timing {
  const sorted = times.toSorted((a, b) => a - b);
  const quantile = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  return { median: quantile(0.5), p95: quantile(0.95) };
}
