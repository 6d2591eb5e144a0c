import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import type { PortalClientOptions } from '../../lib/client/portal-client.ts';
import { startLocalService } from '../support/service/local-service.ts';
import { type LoggedService, startLoggedService } from '../support/service/logged-service.ts';
import { clientOf, moveClock } from '../support/service/service-client.ts';

const summer = { startdate: '2026-06-01', enddate: '2026-08-31' };
const aRequestId = expect.stringMatching(/^[0-9a-f-]{36}$/);

let service: LocalService;
beforeAll(async () => {
  service = await startLocalService({ demo: true });
});
// Neither limits nor failed logins of one test count in the next.
beforeEach(() => moveClock(service.url, 91));
afterAll(() => service.close());

/** A client with a record of what it sent (the last part of each path) and how long it waited. */
function observedClient(of: { readonly url: string } = service, options: Partial<PortalClientOptions> = {}) {
  const trace: string[] = [];
  const client = clientOf(of, {
    fetch: (url, init) => (trace.push(url.slice(url.lastIndexOf('/') + 1)), fetch(url, init)),
    wait: async (seconds) => (trace.push(`${seconds} s`), moveClock(of.url, seconds)),
    ...options,
  });
  return { client, trace };
}

describe('every call of the client, against the running service', () => {
  it('lists a page, and all pages', async () => {
    const client = clientOf(service);
    const { rows, tolerance, ...position } = await client.listInvoices({ ...summer, status: 'PEN', limit: 2 });
    expect(rows[0]).toMatchObject({ invoice_id: '9001', system_amount: 1000, state_code: 'PEN' });
    expect(tolerance).toMatchObject({ mode: 'PCT', tolerance_pct: 5, source: 'proveedor' });
    expect(position).toEqual({ total: 17, limit: 2, offset: 0 });

    const { rows: all } = await client.listInvoices({ ...summer, limit: 100 });
    const one: string[] = [];
    for await (const row of client.eachInvoice({ ...summer, limit: 7 })) one.push(row.invoice_id);
    expect(one).toEqual(all.map(({ invoice_id: id }) => id));
  });

  it('opens, checks and declares an invoice, one by one and in a batch', async () => {
    const client = clientOf(service);
    const request = { invoice_id: '9001', amount: 1050 };
    const outcome = { within_tolerance: true, difference: 50, action: 'AUTO_APPROVE' };
    expect(await client.validateAmount(request)).toMatchObject({ invoice_id: '9001', ...outcome });
    const declared = await client.declareInvoice({ ...request, invoice_number: 'A-1', tax_pct: 21 });
    expect(declared).toMatchObject({ declared_amount: 1050, state_id: 3, tolerance: outcome });
    expect(await client.getInvoice('9001')).toMatchObject({
      declaration_id: declared.declaration_id,
      state_code: 'APR',
      concepts: [{ total: 500 }, { total: 500 }],
    });
    const settled = { ...request, invoice_id: '9008' };
    expect(await client.declareBatch([{ ...request, amount: 1050.01 }, settled])).toMatchObject({
      results: [
        { invoice_id: '9001', success: true, tolerance: { action: 'REVIEW' } },
        { invoice_id: '9008', success: false, error: { code: 'VALIDATION_ERROR' } },
      ],
      accepted: 1,
      rejected: 1,
    });
  });
});

describe('every error that a call can meet', () => {
  const as = (email: string) => observedClient(service, { email: `${email}@demo.example` }).client;
  const ana = () => as('ana');
  const fault = (property: string) => ({ code: 'VALIDATION_ERROR', status: 400, details: [{ property }] });

  it.each<[string, () => Promise<unknown>, object]>([
    ['a negative amount', () => ana().declareInvoice({ invoice_id: '9001', amount: -1 }), fault('amount')],
    ['a settled invoice', () => ana().declareInvoice({ invoice_id: '9008', amount: 1 }), fault('invoice_id')],
    ["another supplier's invoice", () => ana().getInvoice('9101'), { code: 'NOT_FOUND', status: 404 }],
    [
      'a wrong password',
      () => clientOf(service, { password: 'wrong' }).login(),
      { code: 'UNAUTHORIZED', status: 401, message: 'Invalid email or password.' },
    ],
    [
      'a missing permission',
      () => as('lucia').declareInvoice({ invoice_id: '9001', amount: 1 }),
      { code: 'FORBIDDEN', status: 403 },
    ],
    ['a suspended company', () => as('hugo').login(), { code: 'COMPANY_SUSPENDED', status: 403 }],
  ])('%s', async (_, call, expected) => {
    await expect(call()).rejects.toMatchObject({ name: 'PortalError', requestId: aRequestId, ...expected });
  });

  it('an address at which another service is, or none', async () => {
    const other = clientOf({ url: `${service.endpoint}/engine` });
    await expect(other.login()).rejects.toMatchObject({ code: 'INVALID_RESPONSE', requestId: null });
    const none = clientOf({ url: 'http://127.0.0.1:1' });
    await expect(none.login()).rejects.toMatchObject({ code: 'NETWORK_ERROR', status: null });
  });

  it('an abort, while the service is at work', async () => {
    const controller = new AbortController();
    const { client } = observedClient();
    await client.login();
    const call = client.getInvoice('9001', controller);
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });
});

describe('what the client does about', () => {
  it('an hour that has passed: it logs in again, once for all calls', async () => {
    const { client, trace } = observedClient();
    await client.getInvoice('9001');
    await moveClock(service.url, 3_601);
    const ids = ['9001', '9002', '9003'];
    const invoices = await Promise.all(ids.map((id) => client.getInvoice(id)));
    expect(invoices.map(({ invoice_id: id }) => id)).toEqual(ids);
    expect(trace.filter((entry) => entry === 'login')).toHaveLength(2);
  });

  it.each([
    ['31 reads', 30, (client: ReturnType<typeof clientOf>) => client.getInvoice('9001')],
    [
      '11 writes',
      10,
      (client: ReturnType<typeof clientOf>) => client.declareInvoice({ invoice_id: '9001', amount: 1 }),
    ],
  ])('the limit, before %s in a minute: it waits, and is never refused', async (_, limit, call) => {
    const { client, trace } = observedClient();
    for (let calls = 0; calls <= limit; calls++) await call(client);
    const waits = trace.filter((entry) => entry.endsWith(' s'));
    expect(waits).toHaveLength(1);
    expect(Number.parseInt(waits[0]!)).toBeGreaterThan(1);
    expect(trace).toHaveLength(1 + limit + 2);
  });

  it('a block of its address: the login waits until it is over', async () => {
    const wrong = clientOf(service, { password: 'wrong' });
    for (let attempts = 0; attempts < 5; attempts++) {
      await expect(wrong.login()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    }
    const { client, trace } = observedClient();
    await client.login();
    expect(trace).toEqual(['login', expect.stringMatching(/^\d\d s$/), 'login']);
  });
});

describe('what the client does while the database fails', () => {
  let failing: LoggedService;
  beforeAll(async () => {
    failing = await startLoggedService();
  });
  afterAll(() => failing.close());

  it.each([
    ['Invoices', 'INTERNAL_ERROR', 500],
    ['Directory', 'SERVICE_UNAVAILABLE', 503],
  ] as const)('%s, for good: it gives up after 4 retries, and throws %s', async (table, code, status) => {
    const { invoiceId: id, ...credentials } = await failing.newParts();
    const { client, trace } = observedClient(failing, credentials);
    await client.login();
    failing.proxy.fail({ table, how: 'error' });
    await expect(client.getInvoice(id)).rejects.toMatchObject({ code, status, requestId: aRequestId });
    failing.proxy.reset();
    expect(trace).toEqual(['login', id, '1 s', id, '2 s', id, '4 s', id, '8 s', id]);
  });

  it('for three seconds: the call succeeds, without another login', async () => {
    const { invoiceId: id, ...credentials } = await failing.newParts();
    const waits: number[] = [];
    const wait = async (seconds: number) => {
      if (waits.push(seconds) === 2) failing.proxy.reset();
    };
    const { client, trace } = observedClient(failing, { ...credentials, wait });
    await client.login();
    failing.proxy.fail({ table: 'Directory', how: 'error' });
    expect(await client.getInvoice(id)).toMatchObject({ invoice_id: id });
    expect(waits).toEqual([1, 2]);
    expect(trace).toEqual(['login', id, id, id]);
  });
});
