import { beforeEach, expect, it } from 'vitest';
import { useLocalService } from '../support/service/local-service.ts';
import { clientOf, moveClock } from '../support/service/service-client.ts';

const service = useLocalService();
// The requests of one test do not count in the rates of the next one.
beforeEach(() => moveClock(service.url, 91));

it('the client checks, declares and returns invoices of the running service, alone and in a batch', async () => {
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
  const range = { startdate: '2026-06-01', enddate: '2026-08-31' };
  expect(await client.listInvoices({ ...range, status: 'APR', limit: 1 })).toMatchObject({
    rows: [{ state_code: 'APR' }],
    tolerance: { mode: 'PCT', tolerance_pct: 5, source: 'proveedor' },
    limit: 1,
    offset: 0,
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

it('the client waits after the 429 of the 11th write, and sends the write again', async () => {
  const trace: string[] = [];
  const client = clientOf(service, {
    fetch: (url, init) => (trace.push(url.slice(url.lastIndexOf('/') + 1)), fetch(url, init)),
    wait: async (seconds) => (trace.push(`${seconds} s`), moveClock(service.url, seconds)),
  });
  for (let calls = 0; calls <= 10; calls++) await client.declareInvoice({ invoice_id: '9001', amount: 1 });
  const declared = (count: number) => Array<string>(count).fill('declare');
  expect(trace).toEqual(['login', ...declared(11), expect.stringMatching(/^\d+ s$/), 'declare']);
  expect(client.rates()).toMatchObject({ reads: null, writes: { limit: 10, remaining: expect.any(Number) } });
});
