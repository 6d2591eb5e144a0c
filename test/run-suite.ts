/**
 * npm run test:browser, test:guides, test:samples, test:sam and test:spreadsheets: runs a suite if all that it needs is
 * installed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { offerHelp } from '../infra/command-line.ts';

const suites: Readonly<Record<string, string>> = {
  browser: 'Tests the reference page in a headless Chromium.',
  guides: 'Pastes every shell block of the guides into an interactive bash, zsh and dash.',
  samples: 'Runs the programs of the integration guide in Python and PHP.',
  spreadsheets: 'Saves the sheets of the commands with LibreOffice and openpyxl, and reads them back.',
  sam: 'Runs the functions in containers, with sam local.',
};
const [name = '', ...options] = process.argv.slice(2);

offerHelp(`Usage: npm run test:${name} -- [FILE…] [-t TITLE]

${suites[name]}

  FILE…     only the files whose names hold one of these
  -t TITLE  only the tests whose titles match

Exit codes: 0 passed, 1 failed, 77 skipped, for something is missing. More: test/README.md`);
await import(`./${name}/prerequisites.ts`);

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const config = fileURLToPath(new URL('suites.config.ts', import.meta.url));
const run = spawn(process.execPath, [vitest, 'run', '--config', config, ...options], {
  stdio: 'inherit',
  env: { ...process.env, SUITE: name },
});
const [code] = (await once(run, 'close')) as [number | null];
process.exitCode = code ?? 1;
