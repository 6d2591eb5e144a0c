/** npm run bench: prints the tables that are named, or all. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { synthesize } from '../../infra/local/synthesize.ts';
import { chosenTables, usage } from './options.ts';
import { replaceTable } from './report/guide.ts';
import { markdownOf } from './report/markdown.ts';
import type { Report } from './report/report.ts';
import { tables } from './tables.ts';

const ownGuide = new URL('README.md', import.meta.url);

const chosen = chosenTables(process.argv.slice(2), tables);
if (chosen.kind === 'help') console.log(usage(tables));
else if (chosen.kind === 'refused') {
  console.error(`${chosen.reason}\n\n${usage(tables)}`);
  process.exitCode = 2;
} else await run(chosen);

async function run({ names, keep }: { names: readonly string[]; keep: boolean }): Promise<void> {
  console.log(
    `Node ${process.version}, ${cpus().length} processors. Compare ratios: times are those of this machine.\n`,
  );
  // Every table needs the stack: its tables, or its bundles.
  await synthesize({ quiet: false });
  for (const name of names) {
    const startMs = performance.now();
    for (const report of await reportsOf(name)) {
      const table = markdownOf(report);
      console.log(`${table}\n`);
      if (keep) keepTable(report, table);
    }
    console.log(`${name} took ${((performance.now() - startMs) / 1000).toFixed(0)} s.\n`);
  }
}

/** Writes a table into its guide, if the guide has a mark for it. */
function keepTable({ name, guide = ownGuide }: Report, table: string): void {
  const text = replaceTable(readFileSync(guide, 'utf8'), name, table);
  if (text === null) console.log(`The guide has no mark for the table ${name}, so it is only printed.\n`);
  else writeFileSync(guide, text);
}

/** A table that cannot be measured does not keep the others from it. */
async function reportsOf(name: string): Promise<readonly Report[]> {
  try {
    return [(await tables[name]?.run()) ?? []].flat();
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
    return [];
  }
}
