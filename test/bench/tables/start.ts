import { engineEnvironment } from '../../../infra/local/engine-client.ts';
import { floorOf } from '../bundles/floor.ts';
import { functionNames, serviceBundles } from '../bundles/service.ts';
import { measureInTurns } from '../measuring/in-turns.ts';
import { runCold } from '../processes/cold.ts';
import type { Report } from '../report/report.ts';

const WANTED = 1.08;
const ROUNDS = 20;

/** How much processor time a process takes to load each function, beside one that loads its document client alone. */
export async function start(): Promise<Report> {
  const bundles = await serviceBundles();
  const environment = engineEnvironment('http://127.0.0.1:9');
  const floors = new Map<string, string>();
  for (const name of functionNames) floors.set(name, await floorOf(name));
  const files = [...new Set(floors.values()), ...functionNames.map((name) => bundles[name].file)];
  const environments = new Map(Object.values(bundles).map((bundle) => [bundle.file, bundle.environment]));
  const used = await measureInTurns(
    Object.fromEntries(
      files.map((file) => [
        file,
        async () => (await runCold({ file, environment: { ...environments.get(file), ...environment } })).cpuMs,
      ]),
    ),
    { rounds: ROUNDS, warmUp: 1 },
  );
  return {
    name: 'start',
    title: 'Start of a function',
    columns: ['CPU ms', 'floor ms'],
    measure: 'CPU / the floor',
    rows: functionNames.map((name) => {
      const own = used[bundles[name].file]?.p50 ?? Number.NaN;
      const floor = used[floors.get(name) ?? '']?.p50 ?? Number.NaN;
      return { name, cells: [own, floor], now: own / floor, wanted: WANTED };
    }),
  };
}
