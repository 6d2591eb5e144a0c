import { describe, expect, it, vi } from 'vitest';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { measureCalls } from '../../support/engine/engine-proxy.ts';
import { type LegacyCall, type LegacyRequest, createLegacyCaller } from '../../support/legacy/legacy.ts';
import type { LegacyResponse } from '../../support/legacy/legacy-answer.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { newId } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { useDate } from '../../support/setup/use-date.ts';

const START = Date.parse('2026-05-01T10:00:00.000Z');
const path = '/apidev/v1/supplier-portal/invoices/4711';

const portal = useWatchedPortal();
useDate(START);

interface Sent {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const at = (seconds: number) => vi.setSystemTime(START + Math.round(seconds * 1000));
const read = (call: LegacyCall, request?: LegacyRequest) => call('WSObtenerFactura', { IdFactura: '4711' }, request);
const write = (call: LegacyCall, request?: LegacyRequest) =>
  call('WSDeclararFactura', { IdFactura: '4711', Importe: 1 }, request);
const codeOf = ({ body }: LegacyResponse) => body.Resultado.Codigo;
const wrong = { authorization: { Password: 'wrong' } };
const rateOf = ({ headers }: Sent) =>
  ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After'].map((name) => headers[name]);

/** An account's calls on both surfaces, all from one address. */
async function newCaller() {
  const sourceIp = newId();
  const { account, call } = await portal.newCaller();
  return { account, call, legacy: createLegacyCaller(portal.invoke, account, sourceIp), sourceIp };
}

async function fail(call: LegacyCall, times: number): Promise<void> {
  for (let time = 0; time < times; time++) expect(codeOf(await read(call, wrong))).toBe('UNAUTHORIZED');
}

describe('the rate limit of both surfaces', () => {
  it('counts every legacy operation in the group of its counterpart [limits/read] [limits/write]', async () => {
    const { call, legacy } = await newCaller();
    const shown = [
      await legacy('WSListarFacturas', {}),
      await read(legacy),
      await legacy('WSValidarFactura', {}),
      await call('get-invoice', { path }),
      await write(legacy),
      await legacy('WSDeclararFacturas', {}),
      await call('declare-batch', { body: {} }),
    ].map((answer) => rateOf(answer).slice(0, 2).join());
    const left = (limit: number, counts: number[]) => counts.map((count) => `${limit},${limit - count}`);
    expect(shown).toEqual([...left(LIMITS.reads, [1, 2, 3, 4]), ...left(LIMITS.writes, [1, 2, 3])]);
  });
});

describe('the guard of legacy credentials', () => {
  it('blocks the legacy calls of a source after 5 wrong ones, with 429 and only Retry-After, and not its logins', async () => {
    const { account, legacy, sourceIp } = await newCaller();
    await fail(legacy, 5);
    const blocked = await read(legacy);
    expect([blocked.status, ...rateOf(blocked)]).toEqual([429, undefined, undefined, undefined, '60']);
    const Mensaje = 'Demasiados intentos fallidos. Vuelva a intentarlo más tarde.';
    expect(blocked.body).toEqual({ Resultado: { Exito: false, Codigo: 'RATE_LIMITED', Mensaje } });
    const login = (password: string) =>
      portal.invoke('login', {
        headers: { tenant: account.scope.tenant },
        body: { email: account.email, password },
        sourceIp,
      });
    expect((await login(account.password)).status).toBe(200);
    at(59.9);
    expect(rateOf(await read(legacy))[3]).toBe('1');
    at(60);
    for (let time = 0; time < 5; time++) await login('wrong');
    expect((await login(account.password)).status).toBe(429);
    expect(codeOf(await read(legacy))).toBe('NOT_FOUND');
  });

  it('refuses malformed calls of a blocked source too, at the cost of one look; an unknown operation stays 404', async () => {
    const { legacy } = await newCaller();
    const malformed = [{ body: '{' }, { body: {} }, { authorization: { Guid: 'x' } }];
    const sendAll = () => Promise.all(malformed.map((request) => read(legacy, request)));
    // With the two of the first round whose WSAutorizacion is malformed, these are four failures.
    await fail(legacy, 2);
    expect((await sendAll()).map((answer) => [codeOf(answer), rateOf(answer)[1]])).toEqual([
      ['VALIDATION_ERROR', `${LIMITS.reads}`],
      ['UNAUTHORIZED', `${LIMITS.reads}`],
      ['UNAUTHORIZED', `${LIMITS.reads}`],
    ]);
    await fail(legacy, 1);
    portal.proxy.reset();
    for (const answer of await sendAll())
      expect([answer.status, ...rateOf(answer)]).toEqual([429, undefined, undefined, undefined, '60']);
    expect((await legacy('WSNada')).status).toBe(404);
    expect(portal.proxy.calls.map(({ operation }) => operation)).toEqual(['GetItem', 'GetItem', 'GetItem']);
  });
});

describe('the cost of a legacy call', () => {
  // Failures and Guid; the login name; who is allowed what; the count and the decision; then the operation's own.
  it.each([
    ['WSObtenerFactura', { IdFactura: '1001' }, 5],
    ['WSValidarFactura', { IdFactura: '1001', Importe: 1 }, 5],
    ['WSListarFacturas', { FechaDesde: '2026-03-01', FechaHasta: '2026-03-31' }, 5],
    ['WSDeclararFactura', { IdFactura: '1001', Importe: 1 }, 6],
    ['WSDeclararFacturas', { Declaraciones: [{ IdFactura: '1001', Importe: 1 }] }, 6],
  ])('%s needs its serial round trips and no more: %j, %i', async (operation, fields, roundTrips) => {
    const { account, legacy } = await newCaller();
    await seedInvoices(portal.engine, account.scope, [buildInvoice({ invoiceId: '1001' })]);
    // Fills what a warm function has cached; the same declaration again would write nothing.
    await legacy('WSObtenerFactura', { IdFactura: '1001' });
    const { serialRoundTrips, units } = await measureCalls(portal.proxy, () => legacy(operation, fields));
    expect(serialRoundTrips).toBe(roundTrips);
    // Guid, login name; then tenant, company, user, supplier, Guid and account. The failures; the decision, and the
    // count.
    expect(units).toMatchObject({ Directory: { read: 8, write: 0 }, RateCounters: { read: 1, write: 2 } });
  });
});
