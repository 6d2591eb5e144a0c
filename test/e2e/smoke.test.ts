import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { DEMO_ACCOUNT } from '../../infra/openapi/sample-requests.ts';
import { runScript } from '../support/processes/run-script.ts';
import { useLocalService } from '../support/service/local-service.ts';

const service = useLocalService();
const { tenant, email, apiKey, password } = DEMO_ACCOUNT;
const options = ['--tenant', tenant, '--email', email];

const runSmokeTest = (api: string, secret = password) => {
  const env = { PORTAL_API_KEY: apiKey, PORTAL_PASSWORD: secret };
  return runScript('lib/client/examples/smoke.ts', ['--api', api, ...options], { env });
};

it('the smoke test ends with 0 if the service works, and prints what it tested', async () => {
  const printed =
    /^log in: .+\nlist invoices: \d+ in .+\ncheck an amount: 1\.00 on \d+ would result in .+; nothing was saved\nget NOT_FOUND for .+: NOT_FOUND, .+\nThe service works\.\n$/;
  expect(await runSmokeTest(service.url)).toEqual({ code: 0, stdout: expect.stringMatching(printed), stderr: '' });
});

it('the smoke test ends with 1 if a step fails, and prints the step with the request id', async () => {
  const { code, stderr } = await runSmokeTest(service.url, 'wrong');
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^The service does not work: could not log in\. UNAUTHORIZED \(401\): Invalid email or password\. Request id: [\w-]{36}\.\n$/,
  );
});

it('the smoke test ends with 1 at once and prints the time if the login is locked out for hours', async () => {
  const server = createServer((_, response) => {
    response.writeHead(429, { 'Retry-After': '14400' });
    response.end('{"success":false,"error":{"code":"RATE_LIMITED","message":"Too many requests."}}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { code, stderr } = await runSmokeTest(`http://127.0.0.1:${port}`).finally(() => server.close());
  expect([code, stderr]).toEqual([1, expect.stringContaining('Too many requests. (Retry-After: 14400 s)')]);
});
