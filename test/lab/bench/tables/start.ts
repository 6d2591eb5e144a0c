import { buildEngineEnvironment } from '../../../../infra/local/engine-client.ts';
import { bundleFloor, type Bundle, functionNames, serviceBundle } from '../bundles.ts';
import { type Measured, measureInTurns, ratioOf } from '../measure.ts';
import { withProcess } from '../processes.ts';
import type { Report } from '../report.ts';

const WANTED = 1.1;
const TURNS = { rounds: 24, warmUp: 1 };
const NO_ENGINE = buildEngineEnvironment('http://127.0.0.1:9');

/** Measures the CPU time that a process takes to load each function, beside one that loads its document client alone. */
export async function start(): Promise<Report> {
  const measured: Record<string, Measured> = {};
  const floors = new Map<string, string>();
  for (const name of functionNames) {
    const floor = await bundleFloor(name);
    floors.set(name, floor);
    // A floor of several functions is measured once, beside the first of them.
    measured[floor] ??= loading({ file: floor, environment: {} });
    measured[name] = loading(serviceBundle(name));
  }
  const used = await measureInTurns(measured, TURNS);
  return {
    name: 'start',
    title: 'Start of a function',
    columns: ['CPU ms', 'floor ms'],
    measure: 'CPU / the floor',
    rows: functionNames.map((name) => {
      const [own, floor] = [used[name]!, used[floors.get(name)!]!];
      return { name, cells: [own.p50, floor.p50], now: ratioOf(own, floor), wanted: WANTED };
    }),
  };
}

function loading({ file, environment }: Bundle): Measured {
  const bundle = { file, environment: { ...environment, ...NO_ENGINE } };
  return () => withProcess(bundle, async ({ loaded }) => loaded.cpuMs);
}
