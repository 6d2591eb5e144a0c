import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, it } from 'vitest';
import { createEngineDocumentClient } from '../../infra/local/engine-client.ts';
import { findFreePort, listen, requireFreePort } from '../../infra/local/ports.ts';
import { readStack } from '../../infra/local/read-stack.ts';
import { pressCtrlC } from '../support/processes/press-ctrl-c.ts';
import { readProcessTree, findRunning } from '../support/processes/process-tree.ts';
import { useDirectory } from '../support/setup/use-directory.ts';

const home = useDirectory();

/** The command of `npm start` without npm, on free ports and without demo data. */
const startCommand = [
  process.execPath,
  fileURLToPath(new URL('../../infra/local/start/start.ts', import.meta.url)),
  ...['--empty', '--port', '0', '--dynamodb-port', '0'],
];
const start = (...options: string[]) => startProcess([...startCommand, '--quiet', ...options]);

const children: ChildProcess[] = [];
afterAll(() => children.forEach((child) => child.kill('SIGKILL')));

/** Starts a command and records its output. After the tests, its process is killed. */
function startProcess([program = '', ...args]: readonly string[], variables: NodeJS.ProcessEnv = {}) {
  const child = spawn(program, args, { env: { ...process.env, ...variables } });
  children.push(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => (output.stdout += text));
  child.stderr.on('data', (text) => (output.stderr += text));
  return {
    child,
    output,
    /** The exit code (null after a signal) and the complete output. */
    exit: once(child, 'close').then(([code]) => ({ code: code as number | null, ...output })),
    ready: () => expect.poll(() => output.stdout, { timeout: 30_000 }).toMatch(/^Ready: http.+\n$/m),
  };
}

/** An environment of a user with AWS credentials, profiles and proxies, which the service ignores. */
function buildUserEnvironment(): NodeJS.ProcessEnv {
  const profile = 'region = sa-east-1\nuse_fips_endpoint = true\nuse_dualstack_endpoint = true\n';
  writeFileSync(join(home, 'config'), `[default]\n${profile}\n[profile acme]\n${profile}`);
  return {
    ...{ AWS_CONFIG_FILE: join(home, 'config'), AWS_PROFILE: 'acme', AWS_USE_FIPS_ENDPOINT: 'true' },
    ...{ AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' },
    ...{ NODE_USE_ENV_PROXY: '1', http_proxy: 'http://127.0.0.1:9', HTTP_PROXY: 'http://127.0.0.1:9' },
  };
}

// Each process starts the next one.
const processNames = ['service', 'supervisor', 'engine'];
const item = { pk: 'TENANT#kept.example', sk: 'TENANT' };

it(
  'npm start ignores the AWS configuration of its user, and leaves no process after Ctrl-C, even if npm repeats the signal',
  { tags: 'long' },
  async () => {
    const enginePort = await findFreePort();
    const options = ['--quiet', '--dynamodb-port', String(enginePort)];
    const { child, exit, ready } = startProcess([...startCommand, ...options], buildUserEnvironment());
    await ready();
    expect((await fetch(`http://127.0.0.1:${enginePort}`)).status).toBeGreaterThan(0);
    const tree = await readProcessTree(child.pid ?? 0);
    expect(tree).toContainEqual(expect.objectContaining({ command: expect.stringContaining('dynoxide serve') }));
    pressCtrlC(child);
    expect(await exit).toMatchObject({ code: 0, stderr: '' });
    await expect.poll(() => findRunning(tree), { timeout: 5_000 }).toEqual([]);
    await requireFreePort(enginePort);
  },
);

it('npm start prints the engine of AWS_ENDPOINT_URL_DYNAMODB before it calls the engine', async () => {
  const endpoint = `http://127.0.0.1:${await findFreePort()}`;
  const { exit } = startProcess([...startCommand, '--quiet'], { AWS_ENDPOINT_URL_DYNAMODB: endpoint });
  const line = `AWS_ENDPOINT_URL_DYNAMODB is set: ${endpoint} keeps the data. --data and --dynamodb-port are ignored.\n`;
  expect(await exit).toMatchObject({ code: 1, stdout: line });
});

it('npm start prints one line if its port is not free', async () => {
  const other = createServer();
  const port = String(await listen(other, 0));
  const { code, stdout, stderr } = await start('--port', port).exit;
  other.close();
  const reason = `Port ${port} on 127.0.0.1 is already in use, perhaps by another npm start.`;
  const advice = 'Choose another port with --port N; with --port 0, any free port.';
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: `${reason} ${advice}\n` });
});

it.each([
  ['engine', 1, /^The engine has ended with code 1\. It was ended by SIGKILL\.\n$/],
  ['service', null, /^$/],
] as const)(
  'npm start ends and leaves no process if its %s is killed, and keeps its data for the next start',
  { tags: 'long' },
  async (killedProcess, code, message) => {
    const enginePort = await findFreePort();
    const options = ['--dynamodb-port', String(enginePort), '--data', resolve(home, killedProcess)];
    const client = createEngineDocumentClient(`http://127.0.0.1:${enginePort}`);
    const TableName = readStack().tableNames.Directory;

    const { child, exit, ready } = start(...options);
    await ready();
    await client.send(new PutCommand({ TableName, Item: item }));
    const tree = await readProcessTree(child.pid ?? 0);
    expect(tree.map(({ parentId }) => parentId)).toEqual([process.pid, tree[0]?.id, tree[1]?.id]);
    process.kill(tree[processNames.indexOf(killedProcess)]?.id ?? Number.NaN, 'SIGKILL');

    expect(await exit).toMatchObject({ code, stderr: expect.stringMatching(message) });
    await expect.poll(() => findRunning(tree), { timeout: 5_000 }).toEqual([]);
    await requireFreePort(enginePort);

    const restarted = start(...options);
    await restarted.ready();
    expect((await client.send(new GetCommand({ TableName, Key: item }))).Item).toEqual(item);
    client.destroy();
    restarted.child.kill('SIGTERM');
    expect(await restarted.exit).toMatchObject({ code: 0, stderr: '' });
  },
);

it('npm start prints one line if the engine ends while the data are prepared', { tags: 'long' }, async () => {
  // The size limit of a file is 100 kB, which is less than the tables need.
  const limits = ['sh', '-c', 'ulimit -f 200; exec "$0" "$@"'];
  const { code, stderr } = await startProcess([...limits, ...startCommand, '--quiet', '--data', resolve(home, 'small')])
    .exit;
  // The first sign is either the end of the engine or a call without a response.
  const words =
    /^The engine (has ended with code 1\. It was ended by SIGXFSZ\.|at http:.+ cannot keep the data: .+)\n$/;
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(words) });
});

it(
  'npm start ends if its npm process ends, even if the shell between them does not forward the signal',
  { tags: 'long' },
  async () => {
    const { child, ready } = startProcess(['sh', '-c', '"$0" "$@"; true', ...startCommand], {
      npm_lifecycle_event: 'start',
    });
    await ready();
    const tree = await readProcessTree(child.pid ?? 0);
    expect(tree.length).toBeGreaterThan(processNames.length);
    child.kill('SIGTERM');
    await expect.poll(() => findRunning(tree), { timeout: 10_000 }).toEqual([]);
  },
);
