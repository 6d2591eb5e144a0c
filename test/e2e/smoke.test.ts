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
