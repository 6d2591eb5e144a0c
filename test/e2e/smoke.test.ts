import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { engineClient } from '../../infra/local/engine-client.ts';
import type { LocalService } from '../../infra/local/service.ts';
import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { demoAccount } from '../../infra/demo-account.ts';
import { runScript } from '../support/processes/run-script.ts';
import { useLocalService } from '../support/service/local-service.ts';
import { withServer } from '../support/service/with-server.ts';

const { tenant, email, apiKey, password } = demoAccount;
const secrets = { PORTAL_API_KEY: apiKey, PORTAL_PASSWORD: password };
const options = ['--tenant', tenant, '--email', email];

const smoke = (api: string, env: Readonly<Record<string, string>> = secrets) =>
  runScript('lib/client/examples/smoke.ts', ['--api', api, ...options], { env });

/** How many records of declarations a service on this machine holds. */
async function declarationCount({ endpoint, tables }: LocalService): Promise<number> {
  const client = engineClient(endpoint);
  const { Count = 0 } = await client.send(new ScanCommand({ TableName: tables.Declarations, Select: 'COUNT' }));
  client.destroy();
  return Count;
}

describe('the smoke test of a service', () => {
  const service = useLocalService();

  it('that works ends with 0 and says what it saw', async () => {
    const before = await declarationCount(service);
    expect(await smoke(service.url)).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^log in: .+\nlist invoices: \d+ in .+\ncheck an amount: .+\nbe refused .+: NOT_FOUND, .+\nThe service works\.\n$/,
      ),
      stderr: '',
    });
    expect(await declarationCount(service)).toBe(before);
  });

  it('says in a sentence what failed, with the request id, and ends with 1', async () => {
    const { code, stderr } = await smoke(service.url, { ...secrets, PORTAL_PASSWORD: 'wrong' });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^The service does not work: could not log in\. UNAUTHORIZED \(401\): Invalid email or password\. Request id: [\w-]{36}\.\n$/,
    );
  });
});

describe('the smoke test of something that is no good service', { tags: 'long' }, () => {
  const success = (data: object, meta: object = {}) => ({ success: true, data, meta });
  const list = success({ rows: [], tolerance: { source: 'global' } }, { total: 0, limit: 10, offset: 0 });
  const notFound = { success: false, error: { code: 'NOT_FOUND', message: 'None.' } };

  /** A server that logs in and lists as a service does, except for what is given. */
  function against(answers: Record<string, [status: number, body: unknown, headers?: Record<string, string>]>) {
    const answer: RequestListener = (request, response) => {
      const last = /\/(\w+)(\?|$)/.exec(request.url ?? '')?.[1] ?? '';
      const good: typeof answers = {
        login: [200, success({ authorization: 'token' })],
        invoices: [200, list],
        0: [404, notFound, { 'X-Request-Id': '1' }],
      };
      const [status, body, headers] = { ...good, ...answers }[last] ?? [404, notFound];
      response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    return withServer(answer, smoke);
  }

  it('passes a server that answers as a service does, even without invoices', async () => {
    expect(await against({})).toMatchObject({ code: 0, stdout: expect.stringContaining('left out') });
  });

  it.each([
    ['a list without rows', { invoices: [200, success({})] }, 'could not list invoices.'],
    [
      'fewer rows than there are',
      { invoices: [200, { ...list, meta: { total: 3, limit: 10, offset: 0 } }] },
      '0 rows were given of 3.',
    ],
    ['an invoice that cannot exist', { 0: [200, success({ concepts: [], tolerance: {} })] }, 'be refused'],
    ['an error without a request id', { 0: [404, notFound] }, 'The answer has no X-Request-Id.'],
    [
      'another error',
      { 0: [403, { success: false, error: { code: 'FORBIDDEN', message: 'No.' } }] },
      'FORBIDDEN (403)',
    ],
  ] as const)('ends with 1 on %s', async (_, answers, message) => {
    const { code, stderr } = await against(answers as never);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
    expect(stderr).toMatch(/^The service does not work: .+\n$/);
  });

  it('ends with 1 where nobody answers', async () => {
    expect(await smoke('http://127.0.0.1:9')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('could not log in. NETWORK_ERROR'),
    });
  });
});

it.each([
  ['without an address', options, secrets, '--api'],
  ['without a password', ['--api', 'http://127.0.0.1:3000', ...options], { PORTAL_API_KEY: 'x' }, 'PORTAL_PASSWORD'],
  ['with an address that others could read', ['--api', 'http://portal.example', ...options], secrets, 'https'],
])('npm run smoke is used wrongly %s, and ends with 2', async (_, args, env, message) => {
  const { code, stderr } = await runScript('lib/client/examples/smoke.ts', args, { env });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  expect(stderr).toMatch(/\nUsage: npm run smoke .+\n$/);
});
