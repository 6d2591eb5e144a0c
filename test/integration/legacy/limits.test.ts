import { expect, it, vi } from 'vitest';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { measureCalls } from '../../support/engine/engine-proxy.ts';
import { type LegacyCall, type LegacyRequest, createLegacyCaller } from '../../support/legacy/legacy.ts';
import type { LegacyResponse } from '../../support/answers/answer.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { newId } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { useDate } from '../../support/setup/use-date.ts';
import { proves } from '../../rules/proves.ts';

const START = Date.parse('2026-05-01T10:00:00.000Z');
const path = '/apidev/v1/supplier-portal/invoices/4711';

const portal = useWatchedPortal();
useDate(START);

interface Sent {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const setTime = (seconds: number) => vi.setSystemTime(START + Math.round(seconds * 1000));
const read = (call: LegacyCall, request?: LegacyRequest) => call('WSObtenerFactura', { IdFactura: '4711' }, request);
const write = (call: LegacyCall, request?: LegacyRequest) =>
  call('WSDeclararFactura', { IdFactura: '4711', Importe: 1 }, request);
const readCode = ({ body }: LegacyResponse) => body.Resultado.Codigo;
const wrongPassword = { authorization: { Password: 'wrong' } };
const readRateHeaders = ({ headers }: Sent) =>
  ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After'].map((name) => headers[name]);

/** Creates an account whose calls to the legacy interface come from one address. */
async function createCaller() {
  const sourceIp = newId();
  const { account, call } = await portal.newCaller();
  return { account, call, legacy: createLegacyCaller(portal.invoke, account, sourceIp), sourceIp };
}

async function failCalls(call: LegacyCall, times: number): Promise<void> {
  for (let time = 0; time < times; time++) expect(readCode(await read(call, wrongPassword))).toBe('UNAUTHORIZED');
}

it('every legacy operation counts in the rate limit group of the equivalent current operation', async () => {
  proves('limits/read', 'limits/write');
  const { call, legacy } = await createCaller();
  const shown = [
    await legacy('WSListarFacturas', {}),
    await read(legacy),
    await legacy('WSValidarFactura', {}),
    await call('get-invoice', { path }),
    await write(legacy),
    await legacy('WSDeclararFacturas', {}),
    await call('declare-batch', { body: {} }),
  ].map((response) => readRateHeaders(response).slice(0, 2).join());
  const formatRemaining = (limit: number, counts: number[]) => counts.map((count) => `${limit},${limit - count}`);
  expect(shown).toEqual([...formatRemaining(LIMITS.reads, [1, 2, 3, 4]), ...formatRemaining(LIMITS.writes, [1, 2, 3])]);
});

it('5 wrong legacy calls lock out the legacy calls of a source with 429 and only Retry-After, but not its logins', async () => {
  const { account, legacy, sourceIp } = await createCaller();
  await failCalls(legacy, 5);
  const lockedOut = await read(legacy);
  expect([lockedOut.status, ...readRateHeaders(lockedOut)]).toEqual([429, undefined, undefined, undefined, '60']);
  const Mensaje = 'Demasiados intentos fallidos. Vuelva a intentarlo más tarde.';
  expect(lockedOut.body).toEqual({ Resultado: { Exito: false, Codigo: 'RATE_LIMITED', Mensaje } });
  const login = (password: string) =>
    portal.invoke('login', {
      headers: { tenant: account.scope.tenant },
      body: { email: account.email, password },
      sourceIp,
    });
  expect((await login(account.password)).status).toBe(200);
  setTime(59.9);
  expect(readRateHeaders(await read(legacy))[3]).toBe('1');
  setTime(60);
  for (let time = 0; time < 5; time++) await login('wrong');
  expect((await login(account.password)).status).toBe(429);
  expect(readCode(await read(legacy))).toBe('NOT_FOUND');
});

it('malformed calls of a locked-out source get 429 after one read each, and an unknown operation still gets 404', async () => {
  const { legacy } = await createCaller();
  const malformed = [{ body: '{' }, { body: {} }, { authorization: { Guid: 'x' } }];
  const sendAll = () => Promise.all(malformed.map((request) => read(legacy, request)));
  // These are four failures with the two calls of the first round whose WSAutorizacion is malformed.
  await failCalls(legacy, 2);
  expect((await sendAll()).map((response) => [readCode(response), readRateHeaders(response)[1]])).toEqual([
    ['VALIDATION_ERROR', `${LIMITS.reads}`],
    ['UNAUTHORIZED', `${LIMITS.reads}`],
    ['UNAUTHORIZED', `${LIMITS.reads}`],
  ]);
  await failCalls(legacy, 1);
  portal.proxy.reset();
  for (const response of await sendAll())
    expect([response.status, ...readRateHeaders(response)]).toEqual([429, undefined, undefined, undefined, '60']);
  expect((await legacy('WSNada')).status).toBe(404);
  expect(portal.proxy.calls.map(({ operation }) => operation)).toEqual(['GetItem', 'GetItem', 'GetItem']);
});

// Failures and Guid; login name; access snapshot; rate limit and login outcome; then those of the operation.
it.each([
  ['WSObtenerFactura', { IdFactura: '1001' }, 5],
  ['WSValidarFactura', { IdFactura: '1001', Importe: 1 }, 5],
  ['WSListarFacturas', { FechaDesde: '2026-03-01', FechaHasta: '2026-03-31' }, 5],
  ['WSDeclararFactura', { IdFactura: '1001', Importe: 1 }, 6],
  ['WSDeclararFacturas', { Declaraciones: [{ IdFactura: '1001', Importe: 1 }] }, 6],
])('a call of %s with %j needs %i serial round trips', async (operation, fields, roundTrips) => {
  const { account, legacy } = await createCaller();
  await seedInvoices(portal.engine, account.scope, [buildInvoice({ invoiceId: '1001' })]);
  // Fills the caches of a warm function. A declaration here would make the measured declaration write nothing.
  await legacy('WSObtenerFactura', { IdFactura: '1001' });
  const { serialRoundTrips, units } = await measureCalls(portal.proxy, () => legacy(operation, fields));
  expect(serialRoundTrips).toBe(roundTrips);
  // Directory: Guid, login name; then tenant, company, user, supplier, Guid and account.
  // RateCounters: a read of the failures; writes of the login outcome and of the count.
  expect(units).toMatchObject({ Directory: { read: 8, write: 0 }, RateCounters: { read: 1, write: 2 } });
});
