import { readOptions, parseWholeNumber } from '../../../infra/process/read-options.ts';
import { synthesize } from '../../../infra/local/synthesize.ts';
import { printTable } from '../bench/report.ts';
import { countBy, proveDeclarations } from './proof.ts';

const usage = `Usage: npm run suite -- faults [--declarations N] [--seed N]

Sends declarations while the engine fails in every way, and compares responses with tables. Ends with 1 if they differ.

  --declarations N  the number of declarations (default: 10000)
  --seed N          the seed that decides which calls fail (default: 1)

More: test/README.md`;

const values = readOptions(
  usage,
  { declarations: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
  ({ declarations, seed }) => ({
    declarations: parseWholeNumber('--declarations', declarations),
    seed: parseWholeNumber('--seed', seed),
  }),
);
const MAX_SHOWN = 20;

await synthesize({ quiet: true });
const startMs = performance.now();
const proof = await proveDeclarations(values.declarations, values.seed);
const { sent, hits, violations } = proof;
const faults = [...hits.values()].reduce((sum, count) => sum + count, 0);
const share = ((100 * faults) / proof.calls).toFixed(1);
const seconds = ((performance.now() - startMs) / 1000).toFixed(0);

const toRows = (counts: ReadonlyMap<string, number>) =>
  [...counts].toSorted(([a], [b]) => a.localeCompare(b)).map(([name, count]) => [name, String(count)]);
console.log(
  `${sent.length} declarations in ${seconds} s, seed ${values.seed}: ${proof.calls} calls, ${share} % of them faulty.\n`,
);
printTable(['outcome of declarations', ''], toRows(countBy(sent, ({ outcome }) => outcome)));
printTable(['faults of calls', ''], toRows(hits));
console.log(`${proof.repeated} declarations were repeated. ${proof.exports} exports were compared with the histories.`);
for (const violation of violations.slice(0, MAX_SHOWN)) console.log(`VIOLATION ${violation}`);
console.log(`${violations.length} violations.`);
process.exitCode = violations.length === 0 ? 0 : 1;
