import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { type Recorder, roundTripsOf, startRecorder, unitsOf } from '../processes/recorder.ts';
import type { WarmProcess } from '../processes/warm.ts';

/** What lies between the process that answers and its engine. */
export interface Surroundings {
  readonly engine: TestEngine;
  readonly recorder: Recorder;
}

// Long enough that calls which are sent side by side overlap.
const DELAY_MS = 40;

/** Does some work on an engine of its own, with a recorder before it. */
export async function withEngine<Result>(work: (surroundings: Surroundings) => Promise<Result>): Promise<Result> {
  const engine = await startEngine();
  const recorder = await startRecorder(engine.endpoint);
  try {
    return await work({ engine, recorder });
  } finally {
    recorder.close();
    await engine.close();
  }
}

/**
 * What it costs to answer an event in a process that has the recorder for its engine; the units are those without
 * credentials and limits, which every request has.
 */
export async function costOf({ engine, recorder }: Surroundings, process: WarmProcess, event: object) {
  recorder.take();
  const { wallMs, body } = await process.answer([event]);
  const calls = recorder.take();
  return { ms: wallMs[0] ?? Number.NaN, units: unitsOf(calls, accessTables(engine)), rows: rowsIn(body) };
}

function rowsIn(body: string): number {
  const { data } = JSON.parse(body) as { readonly data: { readonly rows?: readonly unknown[] } };
  return data.rows?.length ?? 0;
}

/** How often a request waits for the engine. */
export async function tripsOf({ recorder }: Surroundings, process: WarmProcess, event: object): Promise<number> {
  recorder.take();
  recorder.delayMs = DELAY_MS;
  await process.answer([event]);
  recorder.delayMs = 0;
  return roundTripsOf(recorder.take());
}

/** The tables that tell who calls, and how often. */
export function accessTables({ tables }: TestEngine): string[] {
  return [tables.Directory, tables.RateCounters];
}
