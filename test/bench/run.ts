/** npm run bench: prints the tables that are named, or all, and draws a picture of each. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchDirectory } from './bundles/esbuild.ts';
import { barChart } from './report/bar-chart.ts';
import { markdownOf } from './report/markdown.ts';
import { chosenTables, usage } from './options.ts';
import { tables } from './tables.ts';

const pictures = fileURLToPath(new URL('pictures/', import.meta.url));

const chosen = chosenTables(process.argv.slice(2), Object.keys(tables));
if (chosen.kind === 'help') console.log(usage(tables));
else if (chosen.kind === 'refused') {
  console.error(`${chosen.reason}\n\n${usage(tables)}`);
  process.exitCode = 2;
} else await run(chosen.names, chosen.keep ? pictures : join(benchDirectory, 'pictures'));

async function run(names: readonly string[], directory: string): Promise<void> {
  console.log(
    `Node ${process.version}, ${cpus().length} processors. Compare ratios: times are those of this machine.\n`,
  );
  mkdirSync(directory, { recursive: true });
  for (const name of names) {
    const startMs = performance.now();
    const reports = [(await tables[name]?.run()) ?? []].flat();
    for (const report of reports) {
      console.log(`${markdownOf(report)}\n`);
      writeFileSync(join(directory, `${report.name}.svg`), barChart(report));
    }
    console.log(`(${name}: ${((performance.now() - startMs) / 1000).toFixed(0)} s)\n`);
  }
  console.log(`The pictures are in ${directory}`);
}
