import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { expectConstraintError } from '../../support/answers/answer.ts';
import { newId } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import type { CurrentName } from '../../support/service/handlers.ts';
import type { TestRequest } from '../../support/service/proxy-event.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { proves } from '../../rules/proves.ts';

const portal = useWatchedPortal();

const declaration = { invoice_id: '1001', amount: 1 };
const credentials = { email: 'e', password: 'p' };
const march = { startdate: '2026-03-01', enddate: '2026-03-31' };
const invoices = '/apidev/v1/supplier-portal/invoices';
const loneSurrogate = 'ok \ud83d';
const textBody = { body: declaration, headers: { 'content-type': 'application/problem+json' } };
// One byte more than the 16 KiB that a login can have.
const largeLogin = JSON.stringify(credentials).padEnd(16_385);

/** Lists the calls to tables since the last reset, except the read of the public keys, which occurs once a minute. */
const listCalls = () =>
  portal.proxy.calls
    .filter(({ operation }) => operation !== 'Query')
    .map(({ operation, tables }) => `${operation} ${tables.join()}`)
    .toSorted();
// The guard reads the failures of the source.
const GUARD_READ = ['GetItem RateCounters'];

describe('an invalid request', () => {
  it.each<[name: CurrentName, property: string, constraint: string, request: TestRequest]>([
    ['login', 'body', 'maxBytes', { body: largeLogin }],
    ['login', 'playerid', 'unicode', { body: { ...credentials, playerid: loneSurrogate } }],
    ['list-invoices', 'search', 'unicode', { query: { ...march, search: 'a\uFFFD' } }],
    ['get-invoice', 'id', 'unicode', { path: `${invoices}/\uFFFD\uFFFD\uFFFD` }],
    ['declare-invoice', 'unknown.a[0]', 'unicode', { body: { ...declaration, unknown: { a: [loneSurrogate] } } }],
    ['validate-amount', 'Content-Type', 'mediaType', textBody],
    ['login', 'password', 'single', { body: '{"email": "e", "password": "p", "password": "q"}' }],
    ['validate-amount', 'amount', 'single', { body: '{"invoice_id": "1001", "amount": 1, "amount": 2}' }],
    [
      'declare-batch',
      'amount',
      'single',
      { body: '{"declarations": [{"invoice_id": "1", "amount": 1, "amount": 2}]}' },
    ],
    [
      'declare-batch',
      'other',
      'unicode',
      { body: { declarations: [{ ...declaration, notes: loneSurrogate }], other: loneSurrogate } },
    ],
  ])(
    'a request to %s with an invalid %s (%s) is rejected before its invoices are read',
    async (name, property, constraint, request) => {
      proves('error-envelope/always-details', 'common/content-type');
      const { call } = await portal.newCaller();
      const rejected = await call(name, { sourceIp: newId(), ...request });
      expectConstraintError(rejected, property, constraint);
      const isLogin = name === 'login';
      expect(listCalls()).toEqual(isLogin ? GUARD_READ : ['BatchGetItem Directory', 'UpdateItem RateCounters']);
      const { 'X-RateLimit-Limit': limit, 'X-RateLimit-Remaining': remaining } = rejected.headers;
      expect(Number(limit) - Number(remaining)).toBe(isLogin ? 0 : 1);
    },
  );
});

it('the responses to bodies with unknown fields, also of errors, have X-Ignored-Fields, and other responses do not', async () => {
  const { account, call } = await portal.newCaller();
  const send = async (name: CurrentName, body: unknown, headers = {}) => {
    const response = await call(name, { body, headers, sourceIp: newId() });
    return [response.status, response.headers['X-Ignored-Fields']];
  };
  const misspelt = { ...declaration, invoce_date: '2026-07-01', [loneSurrogate]: 1 };
  await seedInvoices(portal.engine, account.scope, [buildInvoice({ invoiceId: '1001' })]);

  expect(await send('declare-invoice', { ...declaration, invoce_date: '2026-07-01' })).toEqual([200, 'invoce_date']);
  expect(await send('declare-batch', { declarations: [misspelt, misspelt], dry_run: true })).toEqual([
    200,
    'declarations[].invoce_date, declarations[].ok%20%EF%BF%BD, dry_run',
  ]);
  expect(await send('validate-amount', { ...declaration, invoice_id: '7', notes: '' })).toEqual([404, 'notes']);
  expect(await send('login', { ...credentials, passwrd: 'p' })).toEqual([401, 'passwrd']);
  expect(await send('declare-invoice', { ammount: 1 })).toEqual([400, 'ammount']);
  const unknownKey = { 'x-api-key': crypto.randomUUID() };
  expect(await send('declare-invoice', { ammount: 1 }, unknownKey)).toEqual([401, 'ammount']);
  expect(await send('declare-invoice', declaration)).toEqual([200, undefined]);
  expect(await send('declare-invoice', '{"ammount": 1')).toEqual([400, undefined]);
});

describe('a valid body', () => {
  it('a batch rejects only the items whose amounts are too small for a number', async () => {
    const { account, call } = await portal.newCaller();
    await seedInvoices(portal.engine, account.scope, [buildInvoice({ invoiceId: '1001' })]);
    const items = ['1e-400', '-1e-400', '0'].map((amount) => `{"invoice_id": "1001", "amount": ${amount}}`);
    const { body } = await call('declare-batch', { body: `{"declarations": [${items.join()}]}` });
    const properties = body.data.results.map((result: { error?: { details: { property: string }[] } }) =>
      result.error?.details.map(({ property }) => property),
    );
    expect(properties).toEqual([['declarations[0].amount'], ['declarations[1].amount'], undefined]);
  });

  it('a full batch with every field, 40 unknown fields, commas and brackets in texts, and many spaces is accepted', async () => {
    const declarations = Array.from({ length: LIMITS.batchItems }, (_, index) => ({
      invoice_id: String(index),
      amount: 1,
      notes: ',:[{"\\'.repeat(333),
      invoice_number: '['.repeat(60),
      invoice_date: '2026-07-01T10:00:00.000Z',
      tax_pct: 21,
      ...Object.fromEntries(Array.from({ length: 40 }, (__, unknown) => [`own_${unknown}`, unknown])),
    }));
    const { call } = await portal.newCaller();
    const { status, body } = await call('declare-batch', { body: JSON.stringify({ declarations }, null, 2) });
    expect([status, body.data.results.length]).toEqual([200, LIMITS.batchItems]);
  });

  it('a login of 16 KiB, and a body with a BOM and another spelling of its media type, are accepted', async () => {
    const { account, call } = await portal.newCaller();
    await seedInvoices(portal.engine, account.scope, [buildInvoice({ invoiceId: '1001' })]);
    const login = JSON.stringify({ email: account.email, password: account.password }).padEnd(16_384);
    expect((await call('login', { body: login })).status).toBe(200);
    const headers = { 'content-type': undefined, 'CONTENT-TYPE': ' Application/JSON ; charset=utf-8' };
    const body = `\uFEFF${JSON.stringify({ ...declaration, constructor: 'Taller', prototype: {} })}`;
    expect((await call('validate-amount', { body, headers })).status).toBe(200);
  });
});
