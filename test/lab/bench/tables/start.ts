import { engineEnvironment } from '../../../../infra/local/engine-client.ts';
import { floorOf } from '../bundles/floor.ts';
import { functionNames, serviceBundles } from '../bundles/service.ts';
import { type Measured, measureInTurns } from '../measuring/in-turns.ts';
import { ratioOf } from '../measuring/statistics.ts';
import { runCold } from '../processes/cold.ts';
import type { Report } from '../report/report.ts';

const WANTED = 1.1;
const TURNS = { rounds: 24, warmUp: 1 };
const NO_ENGINE = engineEnvironment('http://127.0.0.1:9');

/** How much processor time a process takes to load each function, beside one that loads its document client alone. */
export async function start(): Promise<Report> {
  const bundles = await serviceBundles();
  const measured: Record<string, Measured> = {};
  const floors = new Map<string, string>();
  for (const name of functionNames) {
    const floor = await floorOf(name);
    floors.set(name, floor);
    // A floor that several functions have is measured once, beside the first of them.
    measured[floor] ??= loading(floor);
    measured[name] = loading(bundles[name].file, bundles[name].environment);
  }
  const used = await measureInTurns(measured, TURNS);
  return {
    name: 'start',
    title: 'Start of a function',
    columns: ['CPU ms', 'floor ms'],
    measure: 'CPU / the floor',
    rows: functionNames.map((name) => {
      const [own, floor] = [used[name], used[floors.get(name) ?? '']];
      return {
        name,
        cells: [own?.p50 ?? Number.NaN, floor?.p50 ?? Number.NaN],
        now: ratioOf(own, floor),
        wanted: WANTED,
      };
    }),
  };
}

function loading(file: string, environment: Readonly<Record<string, string>> = {}): Measured {
  return async () => (await runCold({ file, environment: { ...environment, ...NO_ENGINE } })).cpuMs;
}
