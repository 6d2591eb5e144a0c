import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../../infra/ops/program.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { startEngineProxy } from '../../support/engine/engine-proxy.ts';
import { runCli, runOps } from '../../support/processes/run-ops.ts';

const directory = mkdtempSync(join(tmpdir(), 'ops-'));
let engine: TestEngine;

beforeAll(async () => {
  engine = await startEngine();
  await ops(['apply', tenantFile, '--local']);
});
afterAll(async () => {
  await engine.close();
  rmSync(directory, { recursive: true });
});

const ops = (args: readonly string[]) =>
  runCli(args, { cwd: directory, env: { AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint } });

function write(name: string, text: string): string {
  writeFileSync(join(directory, name), text);
  return name;
}

const tenantFile = write('directory.yaml', 'tenants: [{ tenant: cli.example }]');

describe('wrong use', () => {
  it.each([
    [[], 'Usage: npm run ops -- [options] [command]'],
    [['remove'], "error: unknown command 'remove'"],
    [['apply', '--local'], "error: missing required argument 'file'"],
    [['apply', tenantFile, tenantFile, '--local'], 'error: too many arguments'],
    [['apply', tenantFile], 'Name one target: --local or --stack NAME.'],
    [['apply', tenantFile, '--local', '--stack', 'prod'], 'Name one target: --local or --stack NAME.'],
    [['apply', tenantFile, '--local', '--region', 'eu-west-1'], '--region belongs to --stack.'],
    [['apply', tenantFile, '--local', '--force'], "error: unknown option '--force'"],
    [['apply', 'missing.yaml', '--local'], 'The file missing.yaml cannot be read: ENOENT'],
    [['apply', write('broken.json', '{'), '--local'], 'The file broken.json cannot be read'],
    [['apply', write('broken.yaml', 'a: [}'), '--local'], 'The file broken.yaml cannot be read'],
    [['apply', write('other.yaml', 'a: 1'), '--local'], 'The file has no list "tenants".'],
    [['import-invoices', tenantFile, '--tenant', 't', '--local'], 'Name the format: --format ndjson or csv.'],
    [['import-invoices', '-', '--local'], "error: required option '--tenant <tenant>' not specified"],
    [['import-invoices', '-', '--tenant', 'nobody.example', '--local'], 'There is no tenant nobody.example.'],
    [['import-invoices', 'missing.csv', '--tenant', 't', '--local'], 'The file missing.csv cannot be read: ENOENT'],
    [['import-invoices', '.', '--format', 'csv', '--tenant', 't', '--local'], 'cannot be read: it is a directory'],
    [
      ['import-invoices', '-', '--rejects', 'no/x', '--tenant', 'cli.example', '--local'],
      'The file no/x cannot be written: ENOENT',
    ],
    [
      ['import-invoices', write('i.csv', ''), '--rejects', './i.csv', '--tenant', 't', '--local'],
      'The file i.csv cannot be read: it is where --rejects would go',
    ],
    [['import-invoices', '-', '--from-line', '0', '--tenant', 't', '--local'], 'It is a line number, from 1.'],
  ])('%j ends with 2 and says why', async (args, reason) => {
    expect(await ops(args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(reason) });
  });

  it('of a target that is not there ends with 2 and says so', async () => {
    const endpoint = 'http://127.0.0.1:9';
    expect(await runOps(endpoint, 'rotate-signing-key')).toEqual({
      code: 2,
      stdout: '',
      stderr: `No engine answers at ${endpoint}; npm start starts one.\n`,
    });
  });
});

describe('a failure on the way', () => {
  it('ends with 3, and says what it was in one line', async () => {
    const proxy = await startEngineProxy(engine);
    try {
      proxy.fail({ operation: 'BatchGetItem', how: 'error' });
      const run = await runOps(proxy.engine.endpoint, 'suspend-company', 'cli.example', '1');
      expect(run).toEqual({ code: 3, stdout: '', stderr: expect.stringMatching(/^InternalServerError: .+\n$/) });
    } finally {
      await proxy.close();
    }
  });
});

describe('help', () => {
  it.each(createProgram().commands.map((command) => command.name()))(
    'of %s ends with 0 and shows an example',
    async (name) => {
      expect(await ops([name, '--help'])).toEqual({
        code: 0,
        stdout: expect.stringMatching(
          new RegExp(
            String.raw`^Usage: npm run ops -- ${name} [\s\S]*\nExample:\n  \$ (.+ \| )?npm run ops -- ${name}`,
          ),
        ),
        stderr: '',
      });
    },
  );

  it('lists every command, and the exit codes', async () => {
    const { code, stdout } = await ops(['--help']);
    expect(code).toBe(0);
    for (const command of createProgram().commands) expect(stdout).toContain(`  ${command.name()} `);
    expect(stdout).toContain('130 interrupted');
  });
});
