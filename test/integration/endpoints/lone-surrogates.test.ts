import { describe, expect, it } from 'vitest';
import type { CurrentName, TestRequest } from '../../support/service/handlers.ts';
import { errorOf, legacyCallsOf } from '../../support/legacy/legacy.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { newId, seedAccount } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { storedInvoices } from '../../support/data/stored-invoices.ts';

const portal = useWatchedPortal();

const half = 'ok \ud83d';
const latin1 = Buffer.from('{"invoice_id":"1","amount":1,"notes":"Caf\xe9"}', 'latin1');
const march = { startdate: '2026-03-01', enddate: '2026-03-31' };
const invoices = '/apidev/v1/supplier-portal/invoices';

/** Requests with text that is no Unicode, and the property that has it. */
const requests: readonly (readonly [name: CurrentName, property: string, request: TestRequest])[] = [
  ['login', 'playerid', { body: { email: 'e', password: 'p', playerid: half } }],
  ['login', 'other', { body: { email: 'e', password: 'p' }, query: { other: '\uFFFD' } }],
  ['list-invoices', 'search', { query: { ...march, search: 'a\uFFFD' } }],
  ['get-invoice', 'id', { path: `${invoices}/\uFFFD\uFFFD\uFFFD` }],
  ['declare-invoice', 'unknown.a[0]', { body: { invoice_id: '1', amount: 1, unknown: { a: [half] } } }],
  ['declare-batch', 'other', { body: { declarations: [{ invoice_id: '1', amount: 1, notes: half }], other: half } }],
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

  it('in an item of a batch rejects only this item', async () => {
    const { account, call } = await portal.newCaller();
    await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId: '1' })]);
    const declarations = [half, 'whole'].map((notes) => ({ invoice_id: '1', amount: 1, notes }));
    const { body } = await call('declare-batch', { body: { declarations } });
    expect(body.data.results).toMatchObject([{ error: { code: 'VALIDATION_ERROR' } }, { success: true }]);
    const Declaraciones = declarations.map(({ notes }) => ({ IdFactura: '1', Importe: 1, Observaciones: notes }));
    const legacy = await legacyCallsOf(portal.invoke, account)('WSDeclararFacturas', { Declaraciones });
    const Mensaje = 'Los datos no son válidos. Declaraciones[0].Observaciones debe ser un texto Unicode bien formado.';
    expect(legacy.body).toMatchObject({
      Resultados: [{ Exito: false, Error: { Codigo: 'VALIDATION_ERROR', Mensaje } }, { Exito: true }],
    });
  });

  it('is judged when the caller is allowed, and not before', async () => {
    const { call } = await portal.newCaller({ user: { permissions: ['APICLI_PORTALPROVEEDOR_READ'] } });
    const request = { body: { notes: half } };
    expect((await call('declare-invoice', { ...request, headers: { authorization: undefined } })).status).toBe(401);
    expect((await call('declare-invoice', request)).status).toBe(403);
  });

  it.each([
    ['tenant', 't\ud83d.example', 'The tenant is not valid.'],
    ['authorization', 'Bearer a\uFFFD.b.c', 'The access token is missing or invalid.'],
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
    },
  );

  it('is not what a whole character is, nor U+FFFD sent as itself', async () => {
    const { account, call } = await portal.newCaller();
    await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId: '1' })]);
    const escaped = String.raw`{"invoice_id":"1","amount":1,"notes":"\ud83d\ude00 Caf\u00e9 \ufffd \u0000"}`;
    expect((await call('declare-invoice', { body: escaped })).status).toBe(200);
    const stored = (await storedInvoices(portal.engine, account.scope)).get('1');
    expect(stored).toMatchObject({ declared_notes: '😀 Café \uFFFD \0' });
  });

  it.each<[operation: string, property: string, fields: object, request?: TestRequest]>([
    ['WSListarFacturas', 'Busqueda', { Busqueda: half }],
    ['WSObtenerFactura', 'otro', {}, { query: { otro: '\uFFFD' } }],
    ['WSDeclararFactura', 'Otro.a[0]', { Otro: { a: [half] } }],
    ['WSDeclararFacturas', 'Declaraciones[1]', { Declaraciones: [{ Observaciones: half }, half] }],
    ['WSValidarFactura', 'body', {}, { body: latin1 }],
  ])('is refused by %s under its legacy name, after a look at the block: %s', async (operation, property, ...sent) => {
    const account = await seedAccount(portal.engine);
    portal.proxy.reset();
    const answer = await legacyCallsOf(portal.invoke, account)(operation, ...sent);
    const message = `Los datos no son válidos. ${property} debe ser un texto Unicode bien formado.`;
    expect(errorOf(answer)).toEqual([200, 'VALIDATION_ERROR', message]);
    expect(calls()).toEqual(LOOK_AT_BLOCK);
  });
});
