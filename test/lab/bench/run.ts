/** npm run bench: prints the named tables, or all except growth. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { readOptions } from '../../../infra/process/read-options.ts';
import { synthesize } from '../../../infra/local/synthesize.ts';
import { formatReport, type Report } from './report.ts';
import { batch } from './tables/batch.ts';
import { firstRequest, warmCpu } from './tables/beside-express.ts';
import { imports } from './tables/imports.ts';
import { growth, lists } from './tables/lists.ts';
import { start } from './tables/start.ts';

type Table = () => Promise<Report | readonly Report[]>;

const tables: Readonly<Record<string, Table>> = {
  ...{ start, first: firstRequest, warm: warmCpu, lists, batch, imports, growth },
};

const usage = `Usage: npm run bench -- [TABLE ...] [--keep]

  start    the CPU time that a function takes to start, compared with its document client alone
  first    the CPU time of start and first request, over TLS, compared with Express
  warm     the CPU time of a request, compared with Express with the same calls
  lists    lists, searches and declarations of suppliers with 300, 1,000 and 10,000 invoices
  batch    a batch of 100
  imports  an import of 20,000 new invoices
  growth   the same as lists with 20,000 and 100,000 invoices: some minutes

Without a name, all tables except growth are measured. --keep writes the tables into the guide.`;

const { names, keep } = readOptions(
  usage,
  { keep: { type: 'boolean', default: false } },
  (values, words) => {
    const unknown = words.filter((word) => !Object.hasOwn(tables, word));
    if (unknown.length > 0) throw new Error(`There is no table ${unknown.join(', ')}.`);
    const defaults = Object.keys(tables).filter((name) => name !== 'growth');
    return { names: words.length > 0 ? words : defaults, keep: values.keep };
  },
  { takesWords: true },
);

console.log(`Node ${process.version}, ${cpus().length} processors. Compare ratios: times are those of this machine.\n`);
// Every table needs the stack: its tables, or its bundles.
await synthesize({ quiet: false });
for (const name of names) {
  const startMs = performance.now();
  // If a table cannot be measured, the next ones still are.
  const reports = await tables[name]!().catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
    return [];
  });
  for (const report of [reports].flat()) print(report);
  console.log(`${name} took ${((performance.now() - startMs) / 1000).toFixed(0)} s.\n`);
}

function print(report: Report): void {
  const table = formatReport(report);
  console.log(`${table}\n`);
  if (!keep) return;
  const guide = new URL('README.md', import.meta.url);
  const text = readFileSync(guide, 'utf8');
  const marker = `<!-- bench ${report.name} -->\n\n`;
  const [before, after] = text.split(marker);
  if (after === undefined) console.log(`The guide has no marker for the table ${report.name}: it is only printed.\n`);
  else writeFileSync(guide, `${before}${marker}${table}\n\n${after.replace(/^(?:\|.*\n)*\n*/, '')}`);
}
