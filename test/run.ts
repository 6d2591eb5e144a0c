/** npm test and npm run test:long: run one check after the other until one fails, then say how long each took. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { offerHelp } from '../infra/command-line.ts';
import { printTable } from './bench/report/markdown.ts';

const [suite = '', ...options] = process.argv.slice(2);
offerHelp(`Usage: npm run ${suite} -- [FILE…] [-t TITLE]

${suite === 'test' ? 'Checks format, lint and types, and runs the tests.' : 'Runs the tests that prove by their length.'}

  FILE…     only the test files whose names hold one of these
  -t TITLE  only the tests whose titles match

More: test/README.md`);

const before = suite === 'test' ? ['generate', 'format:check', 'lint', 'typecheck'] : ['generate'];
const tags = suite === 'test' ? '!long' : 'long';
const parts = [...before.map((name) => [name]), ['vitest', '--', '--tags-filter', tags, ...options]];
const npm = process.env['npm_execpath'] ?? '';
const rows: [string, string][] = [];
for (const part of parts) {
  const began = performance.now();
  const run = spawn(process.execPath, [npm, 'run', '--silent', ...part], { stdio: 'inherit' });
  const [code] = (await once(run, 'close')) as [number | null];
  rows.push([part[0] ?? '', `${((performance.now() - began) / 1000).toFixed(0)} s`]);
  process.exitCode = code ?? 1;
  if (code !== 0) break;
}
console.log();
printTable(['part', 'took'], rows);
