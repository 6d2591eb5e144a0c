import { describe, expect, it } from 'vitest';
import type { CurrentName, TestRequest } from '../../support/service/handlers.ts';
import { authorizationOf, errorOf, legacyCallsOf, legacyRequests } from '../../support/legacy/legacy.ts';
import { costOf } from '../../support/engine/engine-proxy.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { type Account, newId, seedAccount } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { storedInvoices } from '../../support/data/stored-invoices.ts';

const portal = useWatchedPortal();

const half = 'ok \ud83d';
const latin1 = Buffer.from('{"invoice_id":"1","amount":1,"notes":"Caf\xe9"}', 'latin1');
const invoices = '/apidev/v1/supplier-portal/invoices';

/** Requests with text that is no Unicode, and the property that has it. */
const requests: readonly (readonly [name: CurrentName, property: string, request: TestRequest])[] = [
  ['login', 'email', { body: { email: half, password: 'p' } }],
  ['login', 'password', { body: { email: 'e', password: half } }],
  ['login', 'playerid', { body: { email: 'e', password: 'p', playerid: half } }],
  ['login', 'other', { body: { email: 'e', password: 'p' }, query: { other: '\uFFFD' } }],
  ['login', 'body', { body: latin1 }],
  ['list-invoices', 'search', { query: { startdate: '2026-03-01', enddate: '2026-03-31', search: 'a\uFFFD' } }],
  ['list-invoices', 'a\uFFFD', { query: { startdate: '2026-03-01', enddate: '2026-03-31', 'a\uFFFD': '1' } }],
  ['get-invoice', 'id', { path: `${invoices}/\uFFFD\uFFFD\uFFFD` }],
  ['declare-invoice', 'notes', { body: { invoice_id: '1', amount: 1, notes: half } }],
  ['declare-invoice', 'invoice_number', { body: { invoice_id: '1', amount: 1, invoice_number: half } }],
  ['declare-invoice', 'unknown.a[0]', { body: { invoice_id: '1', amount: 1, unknown: { a: [half] } } }],
  ['declare-invoice', 'ok \uFFFD', { body: { invoice_id: '1', amount: 1, [half]: 1 } }],
  ['declare-invoice', 'body', { body: latin1 }],
  ['declare-batch', 'declarations[0].notes', { body: { declarations: [{ invoice_id: '1', amount: 1, notes: half }] } }],
  ['declare-batch', 'body', { body: latin1 }],
  ['validate-amount', 'invoice_id', { body: { invoice_id: half, amount: 1 } }],
  ['validate-amount', 'body', { body: latin1 }],
];

/** The calls to tables since the proxy was reset, but for the public keys, which a process reads once a minute. */
const calls = () =>
  portal.proxy.calls
    .filter(({ operation }) => operation !== 'Query')
    .map(({ operation, tables }) => `${operation} ${tables.join()}`)
    .toSorted();
// All that a malformed attempt to log in pays for.
const LOOK_AT_BLOCK = ['GetItem RateCounters'];

describe('text that is no Unicode', () => {
  it.each(requests)('is refused by %s before anything is looked up for it: %s', async (name, property, request) => {
    const { call } = await portal.newCaller();
    const { status, headers, body } = await call(name, { sourceIp: newId(), ...request });
    expect(status).toBe(400);
    const constraints = { unicode: `${property} must be well-formed Unicode text` };
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ property, constraints }] });
    const isLogin = name === 'login';
    expect(calls()).toEqual(isLogin ? LOOK_AT_BLOCK : ['BatchGetItem Directory', 'UpdateItem RateCounters']);
    const { 'X-RateLimit-Limit': limit, 'X-RateLimit-Remaining': remaining } = headers;
    expect(Number(limit) - Number(remaining)).toBe(isLogin ? 0 : 1);
  });

  it('counts as any other request does, and takes one round trip [rate-headers/X-RateLimit-Remaining]', async () => {
    const { call } = await portal.newCaller();
    const send = () => call('declare-invoice', { body: { invoice_id: '1', amount: 1, notes: half } });
    await send();
    const { serialRoundTrips } = await costOf(portal.proxy, send);
    expect(serialRoundTrips).toBe(1);
    for (let sent = 2; sent < 10; sent++) expect((await send()).status).toBe(400);
    expect((await send()).status).toBe(429);
  });

  it('is named everywhere at once', async () => {
    const { call } = await portal.newCaller();
    const declarations = [{ notes: half }, { notes: 'ok' }, { notes: half, invoice_number: half }];
    const { body } = await call('declare-batch', { body: { declarations } });
    const properties = body.error?.details?.map(({ property }) => property);
    const [first, second, third] = ['[0].notes', '[2].notes', '[2].invoice_number'];
    expect(properties).toEqual([first, second, third].map((place) => `declarations${place}`));
  });

  it('is judged when the caller is allowed, and not before', async () => {
    const { call } = await portal.newCaller({ user: { permissions: ['APICLI_PORTALPROVEEDOR_READ'] } });
    const request = { body: { notes: half } };
    expect((await portal.invoke('declare-invoice', request)).status).toBe(401);
    expect((await call('declare-invoice', { ...request, headers: { authorization: undefined } })).status).toBe(401);
    expect((await call('declare-invoice', request)).status).toBe(403);
  });

  it.each([
    ['tenant', 't\uFFFD.example', 'The tenant is not valid.'],
    ['tenant', 't\ud83d.example', 'The tenant is not valid.'],
    ['authorization', 'Bearer a\uFFFD.b.c', 'The access token is missing or invalid.'],
    ['authorization', 'Bearer a.\ud83d.c', 'The access token is missing or invalid.'],
    ['x-api-key', '\uFFFD', 'The API key is missing or not valid.'],
    ['x-api-key', 'key \ud83d', 'The API key is missing or not valid.'],
  ])(
    'in the header %s is refused by the rules of that header, and stands in no key: %j',
    async (name, value, message) => {
      const { call } = await portal.newCaller();
      const inputs: string[] = [];
      portal.proxy.watch = (_, input) => void inputs.push(JSON.stringify(input));
      const { status, body } = await call('get-invoice', { path: `${invoices}/1`, headers: { [name]: value } });
      portal.proxy.watch = () => undefined;
      expect([status, body.error?.message]).toEqual([401, message]);
      expect(inputs.filter((input) => /\uFFFD|\\ud83d/.test(input))).toEqual([]);
      expect(calls()).toEqual(name === 'x-api-key' ? ['BatchGetItem Directory', 'UpdateItem RateCounters'] : []);
    },
  );

  it('is not what a whole character is, nor U+FFFD sent as itself', async () => {
    const { account, call } = await portal.newCaller();
    await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId: '1' })]);
    const notes = '😀 Café \uFFFD \0';
    const escaped = String.raw`{"invoice_id":"1","amount":1,"notes":"\ud83d\ude00 Caf\u00e9 \ufffd \u0000"}`;
    expect((await call('declare-invoice', { body: escaped })).status).toBe(200);
    expect((await storedInvoices(portal.engine, account.scope)).get('1')).toMatchObject({ declared_notes: notes });
  });
});

describe('text that is no Unicode in a legacy request', () => {
  async function newCaller() {
    const account = await seedAccount(portal.engine);
    portal.proxy.reset();
    return { account, call: legacyCallsOf(portal.invoke, account) };
  }

  const refusalOf = (...properties: string[]) => {
    const faults = properties.map((property) => `${property} no es texto Unicode válido.`);
    return [200, 'VALIDATION_ERROR', `Los datos no son válidos. ${faults.join(' ')}`];
  };
  const broken: readonly (readonly [property: string, request: (account: Account, fields: object) => TestRequest])[] = [
    ['WSAutorizacion.Password', (account, fields) => inBody(account, fields, { Password: half })],
    ['WSAutorizacion.Usuario', (account, fields) => inBody(account, fields, { Usuario: half })],
    ['Otro.a[0]', (account, fields) => inBody(account, { ...fields, Otro: { a: [half] } })],
    ['notes', (account, fields) => inBody(account, { ...fields, notes: half })],
    ['otro', (account, fields) => ({ ...inBody(account, fields), query: { otro: '\uFFFD' } })],
    ['body', () => ({ body: latin1 })],
  ];

  function inBody(account: Account, fields: object, authorization: object = {}): TestRequest {
    return { body: { WSAutorizacion: { ...authorizationOf(account), ...authorization }, ...fields } };
  }

  it.each(legacyRequests.flatMap(([operation, fields]) => broken.map((one) => [operation, ...one, fields] as const)))(
    'is a VALIDATION_ERROR of %s before anything is looked up for it: %s',
    async (operation, property, request, fields) => {
      const { account, call } = await newCaller();
      const answer = await call(operation, {}, request(account, fields));
      expect(errorOf(answer)).toEqual(refusalOf(property));
      expect(calls()).toEqual(LOOK_AT_BLOCK);
    },
  );

  it.each([
    ['WSListarFacturas', { Busqueda: half }, ['Busqueda']],
    ['WSObtenerFactura', { IdFactura: half }, ['IdFactura']],
    ['WSDeclararFactura', { Observaciones: half, NumeroFactura: half }, ['Observaciones', 'NumeroFactura']],
    ['WSDeclararFacturas', { Declaraciones: [{}, { Observaciones: half }] }, ['Declaraciones[1].Observaciones']],
    ['WSValidarFactura', { IdFactura: half }, ['IdFactura']],
  ])('is named by its legacy field: %s %j', async (operation, fields, properties) => {
    const { call } = await newCaller();
    expect(errorOf(await call(operation, fields))).toEqual(refusalOf(...properties));
    expect(calls()).toEqual(LOOK_AT_BLOCK);
  });

  it('is no operation either: an unknown one is NOT_FOUND, and no table is touched', async () => {
    const { call } = await newCaller();
    expect(errorOf(await call('\uFFFD\uFFFD\uFFFD'))).toEqual([404, 'NOT_FOUND', 'La operación no existe.']);
    expect(portal.proxy.calls).toEqual([]);
  });
});
