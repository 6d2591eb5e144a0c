import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { demoAccount } from '../../infra/openapi/sample-requests.ts';
import { findPort, listen } from '../../infra/local/ports.ts';
import { runScript } from '../support/processes/run-script.ts';
import { startCommand, useProcesses } from '../support/processes/use-processes.ts';
import { useLocalService } from '../support/service/local-service.ts';
import { clientOf } from '../support/service/service-client.ts';
import { pressCtrlC } from '../support/processes/press-ctrl-c.ts';
import { processTree, survivorsOf } from '../support/processes/process-tree.ts';

const loginPath = '/apidev/v1/login';
const notFound = { success: false, error: { code: 'NOT_FOUND', message: 'The requested URL was not found.' } };

describe('local gateway', () => {
  const service = useLocalService();

  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(service.url + path, { method: 'POST', body, headers });

  it.each([
    ['an unknown path', 'GET', '/apidev/v1/nothing'],
    ['an unknown method of a known path', 'PUT', loginPath],
    ['a literal path before a variable one', 'GET', '/apidev/v1/supplier-portal/invoices/declare'],
    ['an empty path parameter', 'GET', '/apidev/v1/supplier-portal/invoices/'],
    ['another method of a page', 'POST', '/docs'],
    ['another method of the clock', 'PUT', '/_local/clock'],
  ])('answers %s with 404 [codes/NOT_FOUND/path]', async (_, method, path) => {
    const response = await fetch(service.url + path, { method });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual(notFound);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('a body over 10 MiB gets the response 400 with its details', async () => {
    const response = await post(loginPath, 'x'.repeat(10 * 1024 * 1024 + 1));
    expect(response.status).toBe(400);
    const message = 'The request body is too large.';
    const details = [{ property: 'body', constraints: { maxBytes: message } }];
    expect(await response.json()).toEqual({ success: false, error: { code: 'VALIDATION_ERROR', message, details } });
  });

  it.each([loginPath, '/apidev/v1/nothing'])('makes the request id of %s itself [errors/rule-3]', async (path) => {
    const postAgain = () => post(path, '{}', { 'X-Request-Id': 'mine' });
    const ids = (await Promise.all([postAgain(), postAgain()])).map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  describe('clock', () => {
    const move = (body: string) => post('/_local/clock', body);
    const resetTime = async () => Number((await post(loginPath, '{}')).headers.get('x-ratelimit-reset'));

    it('a moved clock applies to the functions and to the Date of every response until it is reset', async () => {
      const before = await resetTime();
      expect((await move('{"advance_seconds": -1}')).status).toBe(400);
      await move('{"advance_seconds": 3600}');
      expect((await resetTime()) - before).toBeGreaterThanOrEqual(3_600);
      const { headers } = await post(loginPath, '{}');
      await move('{"reset": true}');
      // The window of a login has 30 seconds.
      const secondsLeft = Number(headers.get('x-ratelimit-reset')) - Date.parse(headers.get('date') ?? '') / 1000;
      expect(secondsLeft).toBeGreaterThan(0);
      expect(secondsLeft).toBeLessThan(60);
      expect((await resetTime()) - before).toBeLessThan(60);
    });

    // This test is the last one, because its rejected login counts on the following day.
    it('ops --local uses the moved clock: a new password ends the tokens that were issued before', async () => {
      const client = clientOf(service);
      await move('{"advance_seconds": 86400}');
      await client.getInvoice('9001');
      const command = ['set-password', demoAccount.tenant, demoAccount.email, '--local'];
      const setting = { env: { AWS_ENDPOINT_URL_DYNAMODB: service.endpoint }, input: 'another Passphrase 7\n' };
      // The command has a process of its own, because it installs its clock in the whole process.
      expect(await runScript('infra/ops/cli.ts', command, setting)).toMatchObject({ code: 0, stderr: '' });
      await expect(client.getInvoice('9001')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      await move('{"reset": true}');
    });
  });
});

describe('npm start', () => {
  const startProcess = useProcesses();
  const start = (...options: string[]) => startProcess([...startCommand, '--quiet', ...options]);

  it.each([
    ['SIGTERM', (child: ChildProcess) => child.kill('SIGTERM')],
    ['Ctrl-C that arrives twice, as it can under npm', pressCtrlC],
  ])('npm start leaves no process after %s', { tags: 'long' }, async (_, stop) => {
    const engine = await findPort(0);
    const { child, exit, ready } = start('--dynamodb-port', String(engine));
    await ready();
    expect((await fetch(`http://127.0.0.1:${engine}`)).status).toBeGreaterThan(0);
    const tree = await processTree(child.pid ?? 0);
    expect(tree.at(-1)?.command).toContain('dynoxide serve');
    stop(child);
    expect(await exit).toMatchObject({ code: 0, stderr: '' });
    await expect.poll(() => survivorsOf(tree), { timeout: 5_000 }).toEqual([]);
    expect(await findPort(engine)).toBe(engine);
  });

  it('npm start --watch leaves no process', { tags: 'long' }, async () => {
    const { child, exit, ready } = start('--watch');
    await ready();
    const tree = await processTree(child.pid ?? 0);
    expect(tree.map(({ command }) => command)).toContainEqual(expect.stringContaining('esbuild'));
    child.kill('SIGTERM');
    expect(await exit).toMatchObject({ code: 0, stderr: '' });
    await expect.poll(() => survivorsOf(tree), { timeout: 5_000 }).toEqual([]);
  });

  it.each(['--dynamodb-port 65536', '--data='])('npm start rejects %s with the usage', async (options) => {
    const { code, stdout, stderr } = await start(...options.split(' ')).exit;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^--.+ takes .+ Usage: npm start -- .+\n$/);
  });

  it('npm start prints one line if its port is not free', async () => {
    const other = createServer();
    const port = String(await listen(other, 0));
    const { code, stdout, stderr } = await start('--port', port).exit;
    other.close();
    const reason = `Port ${port} on 127.0.0.1 is not free (EADDRINUSE): another npm start may use it.`;
    const advice = 'Choose another port: npm start -- --port N (0: any free port).';
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: `${reason} ${advice}\n` });
  });
});
