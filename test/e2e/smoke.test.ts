import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { demoAccount } from '../../infra/openapi/sample-requests.ts';
import { successBody as success } from '../support/client/scripted-portal.ts';
import { runScript } from '../support/processes/run-script.ts';
import { useLocalService } from '../support/service/local-service.ts';
import { withServer } from '../support/service/with-server.ts';

const { tenant, email, apiKey, password } = demoAccount;
const secrets = { PORTAL_API_KEY: apiKey, PORTAL_PASSWORD: password };
const options = ['--tenant', tenant, '--email', email];

const smoke = (api: string, env: Readonly<Record<string, string>> = secrets) =>
  runScript('lib/client/examples/smoke.ts', ['--api', api, ...options], { env });

describe('the smoke test of a service', () => {
  const service = useLocalService();

  it('ends with 0 if the service works, and prints what it tested', async () => {
    expect(await smoke(service.url)).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^log in: .+\nlist invoices: \d+ in .+\ncheck an amount: .+\nget NOT_FOUND for .+: NOT_FOUND, .+\nThe service works\.\n$/,
      ),
      stderr: '',
    });
  });

  it('ends with 1 if a step fails, and prints the step with the request id', async () => {
    const { code, stderr } = await smoke(service.url, { ...secrets, PORTAL_PASSWORD: 'wrong' });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^The service does not work: could not log in\. UNAUTHORIZED \(401\): Invalid email or password\. Request id: [\w-]{36}\.\n$/,
    );
  });
});

describe('the smoke test of another server', () => {
  const refusal = (code: string) => ({ success: false, error: { code, message: 'None.' } });
  const listOf = (rows: readonly object[], total = rows.length) =>
    success({ rows, tolerance: { source: 'global' } }, { total, limit: 10, offset: 0 });

  /** Runs the smoke test on a server with the responses of a service, except these; `asked` has the requested paths. */
  async function against(answers: Record<string, [status: number, body: object, headers?: Record<string, string>]>) {
    const all: typeof answers = {
      login: [200, success({ authorization: 'token' })],
      invoices: [
        200,
        listOf([
          { invoice_id: '1', state_code: 'LIQ' },
          { invoice_id: '2', state_code: 'APR' },
        ]),
      ],
      validate: [200, success({ invoice_id: '2', action: 'REVIEW' })],
      0: [404, refusal('NOT_FOUND'), { 'X-Request-Id': '1' }],
      ...answers,
    };
    const asked: string[] = [];
    const answer: RequestListener = ({ url = '' }, response) => {
      const [, last = ''] = /\/(\w+)(?:\?|$)/.exec(url) ?? [];
      asked.push(last);
      const [status, body, headers] = all[last] ?? [404, refusal('NOT_FOUND')];
      response.writeHead(status, headers).end(JSON.stringify(body));
    };
    return { ...(await withServer(answer, smoke)), asked };
  }

  it('ends with 0 if the server responds like the service, and declares nothing', async () => {
    const stdout = expect.stringContaining('1.00 on 2 would result in REVIEW; nothing was saved');
    const asked = ['login', 'invoices', 'validate', '0'];
    expect(await against({})).toEqual({ code: 0, stdout, stderr: '', asked });
  });

  it.each([
    ['fewer rows than there are', { invoices: [200, listOf([], 3)] }, 'The response contains 0 of 3 rows.'],
    ['an invoice that cannot exist', { 0: [200, success()] }, 'The service returned an invoice that cannot exist.'],
    ['another error', { 0: [403, refusal('FORBIDDEN')] }, 'FORBIDDEN (403)'],
  ] as const)('ends with 1 on %s', { tags: 'long' }, async (_, answers, message) => {
    const { code, stderr } = await against(answers as never);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
    expect(stderr).toMatch(/^The service does not work: .+\n$/);
  });
});

it.each([
  ['without an address', options, secrets, '--api'],
  ['without a password', ['--api', 'http://127.0.0.1:3000', ...options], { PORTAL_API_KEY: 'x' }, 'PORTAL_PASSWORD'],
  ['with an address that others could read', ['--api', 'http://portal.example', ...options], secrets, 'https'],
])('npm run smoke ends with 2 %s', async (_, args, env, message) => {
  const { code, stderr } = await runScript('lib/client/examples/smoke.ts', args, { env });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  expect(stderr).toMatch(/\nUsage: npm run smoke .+\n$/);
});
