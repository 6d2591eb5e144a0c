import { beforeEach, describe, expect, it } from 'vitest';
import { useLocalService } from '../support/service/local-service.ts';
import { clientOf, moveClock } from '../support/service/service-client.ts';

const summer = { startdate: '2026-06-01', enddate: '2026-08-31' };

const service = useLocalService();
// The rates and failed logins of one test do not count in the next one.
beforeEach(() => moveClock(service.url, 91));

/** Creates a client, and records the last part of the path of each request and the length of each wait. */
function observedClient() {
  const trace: string[] = [];
  const client = clientOf(service, {
    fetch: (url, init) => (trace.push(url.slice(url.lastIndexOf('/') + 1)), fetch(url, init)),
    wait: async (seconds) => (trace.push(`${seconds} s`), moveClock(service.url, seconds)),
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
    const responses: object[] = [];
    const onResponse = (response: object) => responses.push(response);
    const declared = await client.declareInvoice({ ...request, invoice_number: 'A-1', tax_pct: 21 }, { onResponse });
    expect(responses).toEqual([{ status: 200, requestId: expect.stringMatching(/./) }]);
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

describe('what the client does about', () => {
  it('the limit of writes: the client waits after the 429 of the 11th, and sends it again', async () => {
    const { client, trace } = observedClient();
    for (let calls = 0; calls <= 10; calls++) await client.declareInvoice({ invoice_id: '9001', amount: 1 });
    const declared = (count: number) => Array<string>(count).fill('declare');
    expect(trace).toEqual(['login', ...declared(11), expect.stringMatching(/^\d+ s$/), 'declare']);
    expect(client.rates()).toMatchObject({ reads: null, writes: { limit: 10, remaining: expect.any(Number) } });
  });

  it('a block of its address: the login waits until it is over', async () => {
    const wrong = clientOf(service, { password: 'wrong' });
    for (let attempts = 0; attempts < 5; attempts++) {
      await expect(wrong.login()).rejects.toMatchObject({ code: 'UNAUTHORIZED', requestId: expect.any(String) });
    }
    const { client, trace } = observedClient();
    await client.login();
    expect(trace).toEqual(['login', expect.stringMatching(/^\d\d s$/), 'login']);
  });
});
