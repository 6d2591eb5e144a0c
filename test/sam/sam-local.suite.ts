import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findFreePort, LOCAL_HOST } from '../../infra/local/ports.ts';
import type { LocalService } from '../../infra/local/service.ts';
import { buildSampleRequests, DEMO_ACCOUNT, logIn } from '../../infra/openapi/sample-requests.ts';
import { writeSamFiles, type SampleEvent } from '../../infra/local/sam/sam-files.ts';
import { startLocalService } from '../support/service/local-service.ts';
import { readBlock } from '../support/guides/readme.ts';
import { expectSuccess, sampleNames } from '../support/answers/sample-answers.ts';

const run = promisify(execFile);
const isLinux = process.platform === 'linux';
const env = { ...process.env, SAM_CLI_TELEMETRY: '0' };

let service: LocalService | undefined;
let bridge: ChildProcess | undefined;
let folder: string | undefined;
let events: readonly SampleEvent[];
beforeAll(async () => {
  service = await startLocalService({ demo: true });
  const port = Number(new URL(service.endpoint).port);
  // On other systems, Docker needs no bridge.
  if (isLinux) bridge = startBridge(port);
  folder = await mkdtemp(join(tmpdir(), 'sam-'));
  events = await writeSamFiles(service.url, `http://host.docker.internal:${port}`, folder);
});
afterAll(async () => {
  if (bridge?.kill()) await once(bridge, 'exit');
  // If beforeAll fails, the values that follow are undefined.
  await service?.close();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

/** Runs the command of the guide, with another port, until the process is killed. */
function startBridge(port: number): ChildProcess {
  const command = readBlock('infra/local/sam/README.md', 'With sam local', 'sh')
    .trim()
    .replaceAll('8000', String(port));
  const [program = '', ...args] = command.split(' ');
  return spawn(program, args, { stdio: 'inherit' });
}

it('the template passes sam validate --lint', async () => {
  const { stdout } = await run('sam', ['validate', '--lint'], { cwd: folder, env });
  expect(stdout).toContain('is a valid SAM Template');
});

describe('sam local invoke', () => {
  it.each(sampleNames)('the function responds to the sample event %s', async (name) => {
    const command = ['local', 'invoke', name.replace(/\..*/, ''), '--event', `events/${name}.json`];
    const { stdout, stderr } = await run('sam', command, { cwd: folder, env });
    expect(stdout, stderr).not.toBe('');
    const { event } = events.find((sample) => sample.name === name)!;
    expectSuccess(name, event, JSON.parse(stdout));
  });
});

describe('sam local start-api', () => {
  let sam: ChildProcess | undefined;
  let url: string;
  beforeAll(async () => {
    const port = await findFreePort();
    url = `http://${LOCAL_HOST}:${port}`;
    sam = spawn('sam', ['local', 'start-api', '--port', String(port)], { cwd: folder, env, stdio: 'ignore' });
    await vi.waitFor(() => fetch(url), { timeout: 30_000, interval: 200 });
  });
  afterAll(async () => {
    if (sam?.kill()) await once(sam, 'exit');
  });

  const callRoute = async (name: string) => {
    const { path, ...request } = buildSampleRequests(DEMO_ACCOUNT, await logIn(url, DEMO_ACCOUNT))[name]!;
    const response = await fetch(url + path, request);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    return { status: response.status, body: await response.json() };
  };

  it('the routes of sam local start-api handle a session', async () => {
    const declared = await callRoute('declare-invoice');
    expect(declared).toMatchObject({ status: 200, body: { success: true, data: { declared_amount: 1050 } } });
    expect(await callRoute('list-invoices')).toMatchObject({
      status: 200,
      body: { success: true, data: { rows: [{}, {}] }, meta: { limit: 2 } },
    });
    const invoice = { invoice_id: '9001', declared_amount: 1050, state_code: 'APR' };
    expect(await callRoute('get-invoice')).toMatchObject({ status: 200, body: { data: invoice } });
  });
});
