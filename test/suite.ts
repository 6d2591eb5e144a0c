/** npm run suite: runs one of the test suites that take long or need other programs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { offerHelp } from '../infra/process/read-options.ts';
import { print, printError } from '../infra/process/terminal.ts';

/** The suites whose tests are files of vitest, each with a file that checks its prerequisites. */
const vitestSuites: Readonly<Record<string, string>> = {
  browser: 'Tests the reference page in a headless Chromium.',
  sam: 'Runs the functions in containers, with sam local.',
  samples: 'Runs the programs of the integration guide in Python and PHP.',
  spreadsheets: 'Saves the sheets of the commands with LibreOffice and openpyxl, and reads them back.',
};

/** The suites that are programs with their own options. */
const programs: Readonly<Record<string, string>> = {
  clients: './clients/run.ts',
  deploy: './deploy/run.ts',
  'dynamodb-local': './dynamodb-local/run.ts',
  faults: './lab/faults/run.ts',
  'legacy-replay': './legacy-replay/replay.ts',
  mutants: './lab/mutants/run.ts',
  soak: './lab/soak/run.ts',
};

const [, , name = '', ...options] = process.argv;
const program = programs[name];
if (program !== undefined) {
  process.argv.splice(2, 1);
  await import(program);
} else if (name in vitestSuites) {
  await runSuite();
} else {
  const names = [...Object.keys(vitestSuites), ...Object.keys(programs)].toSorted().join(', ');
  const usage = `Usage: npm run suite -- NAME [OPTION…]\n\nNames: ${names}. More: test/README.md`;
  if (name === '--help' || name === '-h') print(usage);
  else {
    printError(usage);
    process.exitCode = 2;
  }
}

async function runSuite(): Promise<void> {
  offerHelp(`Usage: npm run suite -- ${name} [FILE…] [-t TITLE]

${vitestSuites[name]}

  FILE…     only the files whose names contain one of these texts
  -t TITLE  only the tests whose titles match

Exit codes: 0 passed, 1 failed, 77 skipped because a program is missing. More: test/README.md`);
  await import(`./${name}/prerequisites.ts`);
  const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
  const config = fileURLToPath(new URL('suites.config.ts', import.meta.url));
  const run = spawn(process.execPath, [vitest, 'run', '--config', config, ...options], {
    stdio: 'inherit',
    env: { ...process.env, SUITE: name },
  });
  const [code] = (await once(run, 'close')) as [number | null];
  process.exitCode = code ?? 1;
}
