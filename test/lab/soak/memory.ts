import { processTree } from '../../support/processes/process-tree.ts';

const MEGABYTE = 1024 * 1024;

/**
 * What is resident in memory, in megabytes, so many minutes after the load began: the service without, and its engine
 * with the data.
 */
export interface MemorySample {
  readonly minute: number;
  readonly service: number;
  readonly engine: number;
}

/** Measures the process of `npm start` and those that it has started. */
export async function sampleMemory(serviceId: number, minute: number): Promise<MemorySample> {
  const [service, supervisor, engine] = await processTree(serviceId);
  if (!service || !supervisor || !engine) throw new Error('The service has ended.');
  return {
    minute,
    service: Math.round((service.residentBytes + supervisor.residentBytes) / MEGABYTE),
    engine: Math.round(engine.residentBytes / MEGABYTE),
  };
}

/** By then every thread has collected its garbage for the first time. */
const WARM_MINUTE = 3;
/** Over so many minutes the ups and downs of the collector even out. */
const WINDOW_MINUTES = 2;

/** The least number of minutes after which growth can be told. */
export const LEAST_MINUTES = WARM_MINUTE + 2 * WINDOW_MINUTES;

/**
 * By how much of it the service has grown since it was warm: the median of the last minutes against that around minute
 * 3.
 */
export function growthOf(samples: readonly MemorySample[]): number {
  const last = Math.max(...samples.map(({ minute }) => minute));
  const medianUpTo = (end: number) => {
    const inside = samples.filter(({ minute }) => minute > end - WINDOW_MINUTES && minute <= end);
    const sorted = inside.map(({ service }) => service).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  return medianUpTo(last) / medianUpTo(WARM_MINUTE + WINDOW_MINUTES / 2) - 1;
}
