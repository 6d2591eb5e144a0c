import { startEngine, type TestEngine } from '../../../support/engine/engine.ts';
import { sumUnits } from '../../../support/engine/engine-calls.ts';
import { costOf, type EngineProxy, startEngineProxy } from '../../../support/engine/engine-proxy.ts';
import { PEERS_TABLE } from '../data/peer-data.ts';
import type { WarmProcess } from '../processes/warm.ts';

/** An engine, and a proxy in front of it that records calls. */
export interface Surroundings {
  readonly engine: TestEngine;
  readonly proxy: EngineProxy;
}

/** Does some work on an engine of its own. */
export async function withEngine<Result>(work: (surroundings: Surroundings) => Promise<Result>): Promise<Result> {
  const engine = await startEngine();
  const tables = { ...engine.tables, [PEERS_TABLE]: PEERS_TABLE };
  const proxy = await startEngineProxy({ ...engine, tables });
  try {
    return await work({ engine, proxy });
  } finally {
    await proxy.close();
    await engine.close();
  }
}

/** Measures the response to an event in a process that calls the proxy: its time, units and rows. */
export async function measureCost({ proxy }: Surroundings, process: WarmProcess, event: object) {
  proxy.reset();
  const { wallMs, body } = await process.answer([event]);
  const { data } = JSON.parse(body) as { readonly data: { readonly rows?: readonly unknown[] } };
  return { ms: wallMs[0] ?? Number.NaN, units: countUnits(proxy), rows: data.rows?.length ?? 0 };
}

/** Counts the recorded units, except those of credentials and limits, which every request has. */
export function countUnits(proxy: EngineProxy): number {
  const { Directory: _, RateCounters: __, ...others } = proxy.consumed();
  const { readUnits, writeUnits } = sumUnits(others);
  return readUnits + writeUnits;
}

/** Counts the serial round trips of an event. */
export async function countRoundTrips({ proxy }: Surroundings, process: WarmProcess, event: object): Promise<number> {
  return (await costOf(proxy, () => process.answer([event]))).serialRoundTrips;
}
