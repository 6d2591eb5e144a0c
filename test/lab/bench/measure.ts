import { measureCalls, type EngineProxy, startEngineProxy } from '../../support/engine/engine-proxy.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { sumUnits } from '../../support/engine/engine-calls.ts';
import type { BundleProcess } from './processes.ts';

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

/** An engine, and a proxy in front of it that records calls. */
export interface Surroundings {
  readonly engine: TestEngine;
  readonly proxy: EngineProxy;
}

/** Runs some work on a new engine with a proxy. */
export async function withEngine<Result>(work: (surroundings: Surroundings) => Promise<Result>): Promise<Result> {
  const engine = await startEngine();
  const proxy = await startEngineProxy(engine);
  try {
    return await work({ engine, proxy });
  } finally {
    await proxy.close();
    await engine.close();
  }
}

/** Measures the response to an event in a process that calls the proxy: its time, units and rows. */
export async function measureCost({ proxy }: Surroundings, process: BundleProcess, event: object) {
  proxy.reset();
  const { wallMs, body } = await process.handle([event]);
  const { data } = JSON.parse(body) as { readonly data: { readonly rows?: readonly unknown[] } };
  return { ms: wallMs[0] ?? Number.NaN, units: countUnits(proxy), rows: data.rows?.length ?? 0 };
}

/** Counts the recorded units, except those of credentials and limits, which every request has. */
export function countUnits(proxy: EngineProxy): number {
  const { Directory: _, RateCounters: __, ...others } = proxy.readUnits();
  const { readUnits, writeUnits } = sumUnits(others);
  return readUnits + writeUnits;
}

/** Counts the serial round trips of an event. */
export async function countRoundTrips({ proxy }: Surroundings, process: BundleProcess, event: object): Promise<number> {
  return (await measureCalls(proxy, () => process.handle([event]))).serialRoundTrips;
}
