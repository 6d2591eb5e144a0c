import { startEngine, type TestEngine } from '../../support/engine/engine.ts';

/** The samples of a measurement in the order of the rounds, and their median. */
export interface Summary {
  readonly samples: readonly number[];
  readonly p50: number;
}

/** A function that measures once. Its argument is the index of the round. */
export type Measurement = (round: number) => Promise<number>;

/** The number of rounds that count, and of the rounds before them that do not count. */
export interface Rounds {
  readonly rounds: number;
  readonly warmUp: number;
}

/**
 * Takes measurements in turns, so that other work of the machine affects all of them equally. Every other round runs in
 * reverse order, so that no measurement always follows the same one.
 */
export async function measureInTurns<Name extends string>(
  measurements: Readonly<Record<Name, Measurement>>,
  { rounds, warmUp }: Rounds,
): Promise<Record<Name, Summary>> {
  const entries = Object.entries<Measurement>(measurements).map(([name, measure]) => ({
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
  const summaries = entries.map(({ name, samples }) => [name, { samples, p50: computeMedian(samples) }]);
  return Object.fromEntries(summaries) as Record<Name, Summary>;
}

/** Computes the median, or NaN if there are no samples. */
export function computeMedian(samples: readonly number[]): number {
  return samples.toSorted((a, b) => a - b)[Math.ceil(samples.length / 2) - 1] ?? Number.NaN;
}

/** Computes the median of the ratios of each round. On a busy machine, ratios vary less than samples. */
export function computeRatio(one: Summary, other: Summary): number {
  return computeMedian(one.samples.map((sample, round) => sample / (other.samples[round] ?? Number.NaN)));
}

/** Runs some work on a new engine. */
export async function withEngine<Result>(work: (engine: TestEngine) => Promise<Result>): Promise<Result> {
  const engine = await startEngine();
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}
