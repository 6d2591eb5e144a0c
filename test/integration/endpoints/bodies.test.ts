import { LIMITS } from '../../../lib/domain/limits.ts';
import { expectFault } from '../../support/answers/answer.ts';
import { describe, expect, it, vi } from 'vitest';
import type { CurrentName, TestRequest } from '../../support/service/handlers.ts';
import { authorizationOf, legacyCallsOf } from '../../support/legacy/legacy.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { newId } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';

const portal = usePortal();

const declaration = { invoice_id: '1001', amount: 1 };
const names = ['login', 'validate-amount', 'declare-invoice', 'declare-batch'] as const;

/** A new caller with the invoice 1001, and a body that is right for each endpoint. */
async function newCaller() {
  const { account, call } = await portal.newCaller();
  await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId: '1001' })]);
  const bodies: Record<(typeof names)[number], object> = {
    login: { email: account.email, password: account.password },
    'validate-amount': declaration,
    'declare-invoice': declaration,
    'declare-batch': { declarations: [declaration] },
  };
  const send = (name: CurrentName, request: TestRequest) => call(name, { sourceIp: newId(), ...request });
  return { account, bodies, send };
}

/** The JSON text of an object with one more property, as no object literal can have it. */
const withProperty = (value: object, property: string) => JSON.stringify(value).replace(/\}$/, `, ${property}}`);

// 10,001 names and values, the second text with half a character at its end.
const TOO_MANY = [`[${'0,'.repeat(10_000)}0]`, String.raw`${'{"a":'.repeat(5_001)}"\ud83d"${'}'.repeat(5_001)}`];

/** How many texts of more than 10,000 characters are parsed during some work. */
async function longTextsParsed(work: () => Promise<void>): Promise<number> {
  const parse = vi.spyOn(JSON, 'parse');
  await work();
  const long = parse.mock.calls.filter(([text]) => text.length > 10_000);
  parse.mockRestore();
  return long.length;
}

describe('the body of every endpoint', () => {
  it.each(names)(
    'is application/json, may begin with a byte order mark, and has no key that reaches for a prototype: %s [error-envelope/always-details] [common/content-type]',
    async (name) => {
      const { bodies, send } = await newCaller();
      const spoilt = withProperty(bodies[name], '"other": [{"__proto__": 1}]');
      expectFault(await send(name, { body: spoilt }), '__proto__', 'reserved');
      const otherType = { body: bodies[name], headers: { 'content-type': 'application/problem+json' } };
      expectFault(await send(name, otherType), 'Content-Type', 'mediaType');

      const headers = { 'content-type': undefined, 'CONTENT-TYPE': ' Application/JSON ; charset=utf-8' };
      const body = `\uFEFF${withProperty(bodies[name], '"constructor": "Taller", "prototype": {}')}`;
      expect((await send(name, { body, headers })).status).toBe(200);
    },
  );

  it.each(names)(
    'is refused before it is parsed when it has more names and values than any lawful one: %s [error-envelope/always-details]',
    async (name) => {
      const { send } = await newCaller();
      const parsed = await longTextsParsed(async () => {
        for (const body of TOO_MANY)
          expectFault(await send(name, { body }), 'body', name === 'login' ? 'maxBytes' : 'maxValues');
        expectFault(await send(name, { body: '['.repeat(10_001) }), 'body', 'maxValues');
      });
      expect(parsed).toBe(0);
    },
  );

  it('may be that of a full batch with every field, 40 unknown ones, texts of commas and brackets, and many spaces', async () => {
    const declarations = Array.from({ length: LIMITS.batchItems }, (_, index) => ({
      invoice_id: String(index),
      amount: 1,
      notes: ',:[{"\\'.repeat(333),
      invoice_number: '['.repeat(60),
      invoice_date: '2026-07-01T10:00:00.000Z',
      tax_pct: 21,
      ...Object.fromEntries(Array.from({ length: 40 }, (__, unknown) => [`own_${unknown}`, unknown])),
    }));
    const { send } = await newCaller();
    const { status, body } = await send('declare-batch', { body: JSON.stringify({ declarations }, null, 2) });
    expect([status, body.data.results.length]).toEqual([200, LIMITS.batchItems]);
  });

  it('of a login has at most 16 KiB, for it is parsed before anything is known of its sender', async () => {
    const { bodies, send } = await newCaller();
    const filled = (bytes: number) => {
      const text = withProperty(bodies.login, '"other": ""');
      return text.replace('""', `"${'x'.repeat(bytes - text.length)}"`);
    };
    expect((await send('login', { body: filled(16_384) })).status).toBe(200);
    expectFault(await send('login', { body: filled(16_385) }), 'body', 'maxBytes');
  });

  it('is judged only when the caller is allowed', async () => {
    const { bodies, send } = await newCaller();
    const faulty: TestRequest[] = [
      { body: '{' },
      { body: withProperty(bodies['declare-invoice'], '"__proto__": 1') },
      { body: 'x'.repeat(1_048_577) },
      { body: TOO_MANY[0] },
      { body: '{}', headers: { 'content-type': 'text/plain' } },
    ];
    for (const { body, headers } of faulty) {
      const anonymous = await send('declare-invoice', { body, headers: { ...headers, authorization: 'Bearer a.b.c' } });
      expect([anonymous.status, anonymous.body.error?.code]).toEqual([401, 'UNAUTHORIZED']);
      expect((await send('declare-invoice', { body, headers: { ...headers } })).status).toBe(400);
    }
  });
});

describe('the body of a legacy request', () => {
  it('is refused before it is parsed when it has too many names and values', async () => {
    const { account } = await newCaller();
    const call = legacyCallsOf(portal.invoke, account);
    const parsed = await longTextsParsed(async () => {
      for (const body of TOO_MANY) {
        const { Resultado } = (await call('WSDeclararFacturas', {}, { body })).body;
        expect(Resultado.Mensaje).toBe('Los datos no son válidos. body no debe tener más de 10000 nombres y valores.');
      }
    });
    expect(parsed).toBe(0);
  });

  it('holds no key that reaches for a prototype, and says so before it looks at the credentials', async () => {
    const { account } = await newCaller();
    const WSAutorizacion = { ...authorizationOf(account), Password: 'wrong' };
    const body = withProperty({ WSAutorizacion, IdFactura: '1001' }, '"__proto__": {"Importe": 1}');
    const answer = await legacyCallsOf(portal.invoke, account)('WSObtenerFactura', {}, { body });
    expect(answer.body.Resultado.Mensaje).toBe('Los datos no son válidos. __proto__ es un nombre reservado.');
  });
});
