/** npm run bench: prints the named tables, or all except growth. */
import { cpus } from 'node:os';
import { readOptions } from '../../../infra/process/read-options.ts';
import { synthesize } from '../../../infra/local/synthesize.ts';
import { printReport, type Report } from './report.ts';
import { firstRequest, warmCpu } from './tables/beside-express.ts';
import { growth, lists } from './tables/lists.ts';
import { start } from './tables/start.ts';

type Table = () => Promise<Report>;

const tables: Readonly<Record<string, Table>> = {
  ...{ start, first: firstRequest, warm: warmCpu, lists, growth },
};

const usage = `Usage: npm run bench -- [TABLE ...]

  start    the CPU time that a function takes to start, compared with its document client alone
  first    the CPU time of start and first request, over TLS, compared with Express
  warm     the CPU time of a request, compared with Express with the same calls
  lists    lists, searches and declarations of suppliers with 300, 1,000 and 10,000 invoices
  growth   the same as lists with 20,000 and 100,000 invoices: some minutes

Without a name, all tables except growth are measured.`;

const tableNames = readOptions({
  usage,
  options: {},
  allowPositionals: true,
  parse(_, words) {
    const unknown = words.filter((word) => !Object.hasOwn(tables, word));
    if (unknown.length > 0) throw new Error(`There is no table ${unknown.join(', ')}.`);
    return words.length > 0 ? words : Object.keys(tables).filter((name) => name !== 'growth');
  },
});

console.log(`Node ${process.version}, ${cpus().length} processors. Compare ratios: times are those of this machine.\n`);
// Every table needs the stack: its tables, or its bundles.
await synthesize({ quiet: false });
for (const name of tableNames) {
  const startMs = performance.now();
  // If a table cannot be measured, the next ones still are.
  try {
    printReport(await tables[name]!());
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
  console.log(`${name} took ${((performance.now() - startMs) / 1000).toFixed(0)} s.\n`);
}
