import { describe, expect, it } from 'vitest';
import type { CurrentName, TestRequest } from '../../support/service/handlers.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { newId } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { expectFault } from '../../support/answers/expect-fault.ts';

const portal = usePortal();

const march = { startdate: '2026-03-01', enddate: '2026-03-31' };
const declaration = { invoice_id: '1001', amount: 1 };
const items = (count: number) => ({ declarations: Array.from({ length: count }, () => declaration) });

type Request = readonly [name: CurrentName, input: object];
const list = (fields: object): Request => ['list-invoices', { ...march, ...fields }];
const declare = (fields: object): Request => ['declare-invoice', { ...declaration, ...fields }];
const batch = (count: number): Request => ['declare-batch', items(count)];

/** Sends a request as a new caller with the invoice 1001. */
async function send([name, input]: Request) {
  const { account, call } = await portal.newCaller();
  await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId: '1001' })]);
  const credentials = name === 'login' && { email: account.email, password: account.password };
  const request: TestRequest =
    name === 'list-invoices' ? { query: { ...input } } : { body: { ...input, ...credentials }, sourceIp: newId() };
  return call(name, request);
}

describe('a VALIDATION_ERROR', () => {
  it.each<[string, Request, string, string]>([
    ['codes/VALIDATION_ERROR/missing', declare({ amount: undefined }), 'amount', 'required'],
    ['codes/VALIDATION_ERROR/type', declare({ amount: '10' }), 'amount', 'type'],
    ['codes/VALIDATION_ERROR/range', list({ limit: 101 }), 'limit', 'maximum'],
    ['codes/VALIDATION_ERROR/range', declare({ amount: -0.01 }), 'amount', 'minimum'],
    ['codes/VALIDATION_ERROR/range', batch(101), 'declarations', 'maxItems'],
    ['codes/VALIDATION_ERROR/id', declare({ invoice_id: 'A1001' }), 'invoice_id', 'pattern'],
  ])(
    'is 400 and names the property and its constraint: $2, $3 [$0] [declare-invoice/invalid]',
    async (_rule, request, property, constraint) => {
      expectFault(await send(request), property, constraint);
    },
  );
});

describe('the limits of fields and parameters', () => {
  it.each([
    ['limits/limit', 'limit', 25],
    ['limits/offset', 'offset', 0],
  ])('have a default, $2 for $1 [$0]', async (_rule, parameter, value) => {
    expect((await send(list({}))).body.meta).toMatchObject({ [parameter]: value });
  });

  it('of the range of a list are 93 days, and not a millisecond more [limits/date-range] [codes/INVALID_DATE_RANGE/too-long]', async () => {
    const startdate = '2026-03-01T00:00:00.000Z';
    expect((await send(list({ startdate, enddate: '2026-06-02T00:00:00.000Z' }))).status).toBe(200);
    const { status, body } = await send(list({ startdate, enddate: '2026-06-02T00:00:00.001Z' }));
    expect([status, body.error?.code]).toEqual([400, 'INVALID_DATE_RANGE']);
  });
});
