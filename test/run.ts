/** npm test and npm run test:long: run the checks, then the tests if no check fails, and print how long each took. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { offerHelp } from '../infra/process/read-options.ts';
import { printTable } from './lab/bench/report.ts';

const [suite = '', ...options] = process.argv.slice(2);
offerHelp(`Usage: npm run ${suite} -- [FILE…] [-t TITLE]

${suite === 'test' ? 'Checks format, lint and types, and runs the tests.' : 'Runs the tests with many repetitions, large files or real waiting.'}

  FILE…     only the test files whose names contain one of these texts
  -t TITLE  only the tests whose titles match

More: test/README.md`);

const checks = suite === 'test' ? ['format:check', 'lint', 'typecheck'] : [];
const tags = suite === 'test' ? '!long' : 'long';
const npm = process.env['npm_execpath'] ?? '';
const rows: [string, string][] = [];

/** Runs an npm script; sets the exit code of this process if it fails. */
async function run(script: string, ...words: string[]): Promise<void> {
  const startMs = performance.now();
  const child = spawn(process.execPath, [npm, 'run', '--silent', script, ...words], { stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  rows.push([script, `${((performance.now() - startMs) / 1000).toFixed(0)} s`]);
  if (code !== 0) process.exitCode = code ?? 1;
}

await run('generate');
// Each check uses a core most of the time, so the tests are faster after the checks.
if (!process.exitCode) await Promise.all(checks.map((check) => run(check)));
if (!process.exitCode) await run('vitest', '--', '--tags-filter', tags, ...options);
console.log();
printTable(['part', 'took'], rows);
