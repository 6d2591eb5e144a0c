import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DemoEngine } from '../../infra/local/prepare-data.ts';
import { startService } from '../../infra/local/service.ts';
import { loadDemo } from '../../infra/local/start/demo.ts';
import { buildSampleRequests, DEMO_ACCOUNT, logIn } from '../../infra/openapi/sample-requests.ts';
import { useLocalService } from '../support/service/local-service.ts';
import { createLocalClient, moveClock } from '../support/service/service-client.ts';
import { sendRequest } from '../support/service/portal-requests.ts';

const service = useLocalService();

const send = (path: string, body: object) =>
  fetch(service.url + path, { method: 'POST', body: JSON.stringify(body) }).then(async (response) => {
    return { status: response.status, body: await response.json() };
  });
const inject = (next: unknown, times = 1) => send('/_local/faults', { next, times });
const tryLogin = async (password: string, url = service.url) =>
  (await sendRequest(url, buildSampleRequests({ ...DEMO_ACCOUNT, password }, '')['login']!)).status;

/** Fails to log in until the source is locked out. Returns the status of a further attempt. */
async function lockOut(url = service.url): Promise<number> {
  for (let attempt = 0; attempt < 5; attempt++) await tryLogin('wrong', url);
  return tryLogin('wrong', url);
}

it('a clock that is set back ends the lockout of an address and of an account', async () => {
  // All times are in one window of the failures of accounts.
  await send('/_local/clock', { set: '2031-01-01T00:30:00Z' });
  for (let round = 0; round < 3; round++) {
    expect(await lockOut()).toBe(429);
    await moveClock(service.url, 61);
  }
  // A move forward ends the lockout of the address, but not that of the account.
  expect(await tryLogin(DEMO_ACCOUNT.password)).toBe(429);
  await send('/_local/clock', { set: '2031-01-01T00:30:00Z' });
  expect(await tryLogin(DEMO_ACCOUNT.password)).toBe(200);
  await send('/_local/clock', { reset: true });
});

it('a restart with data of a clock that was ahead ends its lockouts', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'ahead-'));
  const options = { port: 0, dynamodbPort: 0, dataFolder, log: 'none' } as const;
  const loadSmallDemo = (engine: DemoEngine) => loadDemo(engine, 'small');
  const first = await startService({ ...options, loadDemo: loadSmallDemo });
  await moveClock(first.url, 7200);
  expect(await lockOut(first.url)).toBe(429);
  await first.close();
  const second = await startService(options);
  expect(await tryLogin(DEMO_ACCOUNT.password, second.url)).toBe(200);
  await second.close();
});

describe('an injected fault', () => {
  it.each([
    [500, 'INTERNAL_ERROR'],
    [503, 'SERVICE_UNAVAILABLE'],
  ])(
    'the next two requests get the status %s, also on the legacy route, and later ones a response',
    async (status, code) => {
      const requests = buildSampleRequests(DEMO_ACCOUNT, await logIn(service.url, DEMO_ACCOUNT));
      expect(await inject(status, 2)).toEqual({ status: 200, body: { next: status, times: 2 } });
      const statuses: number[] = [];
      for (const name of ['get-invoice', 'WSObtenerFactura', 'get-invoice']) {
        const { path, ...request } = requests[name]!;
        const response = await fetch(service.url + path, request);
        statuses.push(response.status);
        expect(response.headers.get('x-request-id')).toMatch(/^\S{36}$/);
        if (response.status !== 200) expect(await response.text()).toContain(code);
      }
      expect(statuses).toEqual([status, status, 200]);
    },
  );

  it.each(['lost', 'slow'])('a declaration whose response is %s is saved, and can be repeated', async (fault) => {
    const client = createLocalClient(service);
    const range = { startdate: '2026-06-01', enddate: '2026-08-31' };
    const [invoice] = (await client.listInvoices({ ...range, status: 'PEN' })).rows;
    const declaration = { invoice_id: invoice!.invoice_id, amount: 7 };
    const { path, ...request } = buildSampleRequests(DEMO_ACCOUNT, await logIn(service.url, DEMO_ACCOUNT))[
      'declare-invoice'
    ]!;
    await inject(fault);
    const call = { ...request, body: JSON.stringify(declaration), signal: AbortSignal.timeout(1_500) };
    await expect(fetch(service.url + path, call)).rejects.toThrow();
    expect(await client.getInvoice(declaration.invoice_id)).toMatchObject({ declared_amount: 7 });
    // The client retries.
    await inject('lost', 2);
    expect(await client.declareInvoice(declaration)).toMatchObject({ declared_amount: 7 });
  });

  it.each([{}, { next: 501 }, { next: 503, times: -1 }, { next: 503, times: 1.5 }, { next: 503, time: 1 }, [], 'lost'])(
    'the command %j is rejected with the list of the faults',
    async (command) => {
      const error = { code: 'VALIDATION_ERROR', message: expect.stringContaining('[500,503,"lost","slow"]') };
      expect(await send('/_local/faults', command as object)).toEqual({ status: 400, body: { success: false, error } });
    },
  );
});
