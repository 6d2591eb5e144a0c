import { type Summary, summaryOf } from './statistics.ts';

/** Something to be measured: it returns what it took, and is given the number of its round from 0 on. */
export type Measured = (round: number) => Promise<number>;

/** How often each is measured; the first `warmUp` rounds do not count. */
export interface Rounds {
  readonly rounds: number;
  readonly warmUp?: number;
}

/**
 * Measures things that are compared in turns, so that what the machine does meanwhile meets all alike. Every other
 * round goes backwards, so that none always comes after the same one.
 */
export async function measureInTurns<Name extends string>(
  measured: Readonly<Record<Name, Measured>>,
  { rounds, warmUp = 0 }: Rounds,
): Promise<Record<Name, Summary>> {
  const entries = Object.entries<Measured>(measured).map(([name, measure]) => ({
    name,
    measure,
    samples: [] as number[],
  }));
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const { measure, samples } of round % 2 === 0 ? entries : entries.toReversed()) {
      const sample = await measure(round);
      if (round >= warmUp) samples.push(sample);
    }
  }
  return Object.fromEntries(entries.map(({ name, samples }) => [name, summaryOf(samples)])) as Record<Name, Summary>;
}

/** Measures how many milliseconds a call takes. */
export function timed(call: (round: number) => Promise<unknown>): Measured {
  return async (round) => {
    const startMs = performance.now();
    await call(round);
    return performance.now() - startMs;
  };
}
