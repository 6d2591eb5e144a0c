/** npm run suite: runs one of the test suites that take long or need other programs. test/README.md lists them. */
import { spawnSync } from 'node:child_process';
import { env } from 'node:process';
import { printError } from '../infra/process/terminal.ts';

env['CHROMIUM_BIN'] ??= '/usr/bin/chromium';
env['PYTHON'] ??= 'python3';
const { CHROMIUM_BIN, PYTHON } = env;

/** Something that a suite needs, and the command that fails without it. */
type Requirement = readonly [needs: string, program: string, ...options: string[]];

interface Suite {
  readonly needs?: readonly Requirement[];
  /** The program of the suite, which has its own options. By default, vitest runs the files of the folder. */
  readonly program?: string;
}

const suites: Readonly<Record<string, Suite>> = {
  browser: { needs: [['Chromium (CHROMIUM_BIN)', CHROMIUM_BIN, '--version']] },
  clients: {
    needs: [
      ['Python (PYTHON)', PYTHON, '-m', 'venv', '--help'],
      ['Java', 'java', '-version'],
      ['PHP with Guzzle', 'php', '-r', "require 'GuzzleHttp/autoload.php';"],
    ],
    program: './clients/run.ts',
  },
  deploy: {
    needs: [
      ["Python (PYTHON) with 'moto[all,server]'", PYTHON, '-c', 'import moto.cloudformation.parsing, moto.server'],
    ],
    program: './deploy/run.ts',
  },
  'dynamodb-local': {
    needs: [
      ['Java 17', 'java', '--version'],
      ['Maven', 'mvn', '--version'],
    ],
    program: './dynamodb-local/run.ts',
  },
  'legacy-replay': { program: './legacy-replay/replay.ts' },
  sam: {
    needs: [
      ['a Docker engine', 'docker', 'info'],
      ['the SAM CLI', 'sam', '--version'],
      ['socat', 'socat', '-V'],
    ],
  },
  samples: {
    needs: [
      ['Python (PYTHON) with requests', PYTHON, '-c', 'import requests'],
      ['PHP with its extension curl', 'php', '-r', 'curl_init();'],
    ],
  },
  spreadsheets: {
    needs: [
      ['LibreOffice', 'soffice', '--version'],
      ['Python (PYTHON) with openpyxl', PYTHON, '-c', 'import openpyxl'],
    ],
  },
};

const [name = ''] = process.argv.splice(2, 1);
const suite = suites[name];
if (suite === undefined) {
  printError(
    `Usage: npm run suite -- NAME [OPTION…]\n\nNames: ${Object.keys(suites).join(', ')}. More: test/README.md`,
  );
  process.exit(2);
}
const missing = (suite.needs ?? []).filter(([, program, ...args]) => spawnSync(program, args).status !== 0);
if (missing.length > 0) {
  printError(`skipped: missing ${missing.map(([needs]) => needs).join(', ')}.`);
  process.exit(77);
}
if (suite.program === undefined) {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts', '--project', 'suites'];
  const { status } = spawnSync(process.execPath, [...vitest, `test/${name}/`, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} else {
  await import(suite.program);
}
