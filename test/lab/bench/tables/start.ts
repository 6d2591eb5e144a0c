import { buildEngineEnvironment } from '../../../../infra/local/engine-client.ts';
import { bundleFloor, type Bundle, functionNames, getServiceBundle } from '../bundles.ts';
import { type Measurement, measureInTurns, computeRatio } from '../measure.ts';
import { withProcess } from '../processes.ts';
import type { Report } from '../report.ts';

const MAX_RATIO = 1.1;
const TURNS = { rounds: 24, warmUp: 1 };
const NO_ENGINE = buildEngineEnvironment('http://127.0.0.1:9');

/** Measures the CPU time to load each function, compared with its document client alone. */
export async function start(): Promise<Report> {
  const measurements: Record<string, Measurement> = {};
  const floors = new Map<string, string>();
  for (const name of functionNames) {
    const floor = await bundleFloor(name);
    floors.set(name, floor);
    // A floor that several functions have in common is measured once, with the first of them.
    measurements[floor] ??= createMeasurement({ file: floor, environment: {} });
    measurements[name] = createMeasurement(getServiceBundle(name));
  }
  const used = await measureInTurns(measurements, TURNS);
  return {
    title: 'Start of a function',
    columns: ['CPU ms', 'floor ms'],
    measure: 'CPU / the floor',
    rows: functionNames.map((name) => {
      const [own, floor] = [used[name]!, used[floors.get(name)!]!];
      return { name, cells: [own.p50, floor.p50], now: computeRatio(own, floor), required: MAX_RATIO };
    }),
  };
}

function createMeasurement({ file, environment }: Bundle): Measurement {
  const bundle = { file, environment: { ...environment, ...NO_ENGINE } };
  return () => withProcess(bundle, async ({ loaded }) => loaded.cpuMs);
}
