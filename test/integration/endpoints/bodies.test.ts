import { describe, expect, it, vi } from 'vitest';
import type { CurrentName, TestRequest } from '../../support/service/handlers.ts';
import { authorizationOf, legacyCallsOf } from '../../support/legacy/legacy.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { newId } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { expectFault } from '../../support/answers/expect-fault.ts';

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

describe('the body of every endpoint', () => {
  it.each(names)('holds no key that reaches for a prototype: %s [error-envelope/always-details]', async (name) => {
    const { bodies, send } = await newCaller();
    const refused = [
      ['__proto__', '"__proto__": {"amount": 2}'],
      ['__proto__', String.raw`"\u005f_proto__": null`],
      ['__proto__', '"other": [{"__proto__": 1}]'],
      ['constructor', '"constructor": {"prototype": {"amount": 2}}'],
    ] as const;
    for (const [key, property] of refused) {
      expectFault(await send(name, { body: withProperty(bodies[name], property) }), key, 'reserved');
    }
    const harmless = await send(name, { body: withProperty(bodies[name], '"constructor": "Taller", "prototype": {}') });
    expect(harmless.status).toBe(200);
  });

  it.each(names)('may begin with a byte order mark: %s', async (name) => {
    const { bodies, send } = await newCaller();
    expect((await send(name, { body: `\uFEFF${JSON.stringify(bodies[name])}` })).status).toBe(200);
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

  it.each(names)('is application/json, however the header is written: %s [common/content-type]', async (name) => {
    const { bodies, send } = await newCaller();
    const headers = { 'content-type': undefined };
    const body = bodies[name];
    for (const [header, type] of [
      ['CONTENT-TYPE', 'application/json'],
      ['content-Type', ' Application/JSON ; charset=utf-8'],
    ] as const) {
      expect((await send(name, { body, headers: { ...headers, [header]: type } })).status).toBe(200);
    }
    for (const type of [
      'application/problem+json',
      'application/vnd.api+json',
      'application/json-patch+json',
      'text/json',
    ]) {
      expectFault(await send(name, { body, headers: { 'content-type': type } }), 'Content-Type', 'mediaType');
    }
  });

  it.each(names.filter((name) => name !== 'login'))('is judged only when the caller is allowed: %s', async (name) => {
    const { bodies, send } = await newCaller();
    const faulty: TestRequest[] = [
      { body: '{' },
      { body: withProperty(bodies[name], '"__proto__": 1') },
      { body: 'x'.repeat(1_048_577) },
      { body: TOO_MANY },
      { body: '{}', headers: { 'content-type': 'text/plain' } },
    ];
    for (const { body, headers } of faulty) {
      const anonymous = await send(name, { body, headers: { ...headers, authorization: 'Bearer a.b.c' } });
      expect([anonymous.status, anonymous.body.error?.code]).toEqual([401, 'UNAUTHORIZED']);
      expect((await send(name, { body, headers: { ...headers } })).status).toBe(400);
    }
  });

  it('may be nested deeper than it can be read: then it is refused like any other', async () => {
    const { bodies, send } = await newCaller();
    const body = withProperty(bodies['declare-invoice'], `"other": ${'['.repeat(9_000)}${']'.repeat(9_000)}`);
    const answer = await send('declare-invoice', { body });
    // How deep the parser reads depends on the stack of the process that runs the tests.
    if (isReadable(body)) expect(answer.status).toBe(200);
    else expectFault(answer, 'body', 'json');
  });
});

function isReadable(json: string): boolean {
  try {
    JSON.parse(json, (_name, value: unknown) => value);
    return true;
  } catch {
    return false;
  }
}

// Each with 10,001 names and values, and the last two with half a character at its end.
const TOO_MANY = `[${'0,'.repeat(10_000)}0]`;
const TOO_MANY_MORE = [
  `{${'"a":0,'.repeat(5_000)}"b":0}`,
  '['.repeat(10_001) + ']'.repeat(10_001),
  String.raw`[${'0,'.repeat(10_000)}"\ud83d"]`,
  String.raw`${'{"a":'.repeat(5_001)}"\ud83d"${'}'.repeat(5_001)}`,
];

/** How many texts of more than 10,000 characters are parsed during some work. */
async function longTextsParsed(work: () => Promise<void>): Promise<number> {
  const parse = vi.spyOn(JSON, 'parse');
  await work();
  const long = parse.mock.calls.filter(([text]) => text.length > 10_000);
  parse.mockRestore();
  return long.length;
}

describe('a body with more names and values than any lawful one', () => {
  const batch = Array.from({ length: 100 }, (_, index) => ({
    invoice_id: String(index),
    amount: 1,
    notes: ',:[{"\\'.repeat(333),
    invoice_number: '['.repeat(60),
    invoice_date: '2026-07-01T10:00:00.000Z',
    tax_pct: 21,
    ...Object.fromEntries(Array.from({ length: 40 }, (__, unknown) => [`own_${unknown}`, unknown])),
  }));

  it.each(names)('is refused before it is parsed: %s [error-envelope/always-details]', async (name) => {
    const { send } = await newCaller();
    const constraint = name === 'login' ? 'maxBytes' : 'maxValues';
    const parsed = await longTextsParsed(async () => {
      for (const body of [TOO_MANY, ...TOO_MANY_MORE]) expectFault(await send(name, { body }), 'body', constraint);
      expectFault(await send(name, { body: '['.repeat(10_001) }), 'body', 'maxValues');
    });
    expect(parsed).toBe(0);
  });

  it('is refused before it is parsed: the legacy route', async () => {
    const { account } = await portal.newCaller();
    const call = legacyCallsOf(portal.invoke, account);
    const parsed = await longTextsParsed(async () => {
      for (const body of [TOO_MANY, ...TOO_MANY_MORE]) {
        expect((await call('WSDeclararFacturas', {}, { body })).body.Resultado).toMatchObject({
          Codigo: 'VALIDATION_ERROR',
          Mensaje: 'Los datos no son válidos. body tiene demasiados nombres y valores.',
        });
      }
    });
    expect(parsed).toBe(0);
  });

  it('is not a batch of 100 with every field, 40 unknown ones, texts of commas and brackets, and many spaces', async () => {
    const { send } = await newCaller();
    const { status, body } = await send('declare-batch', { body: JSON.stringify({ declarations: batch }, null, 2) });
    expect([status, body.data.results.length]).toEqual([200, 100]);
  });
});

describe('the body of a legacy request', () => {
  it('may begin with a byte order mark', async () => {
    const { account } = await newCaller();
    const body = `\uFEFF${JSON.stringify({ WSAutorizacion: authorizationOf(account), IdFactura: '1001' })}`;
    const answer = await legacyCallsOf(portal.invoke, account)('WSObtenerFactura', {}, { body });
    expect(answer.body.Resultado.Codigo).toBe('OK');
  });

  it('holds no key that reaches for a prototype, and says so before it looks at the credentials', async () => {
    const { account } = await portal.newCaller();
    const call = legacyCallsOf(portal.invoke, account);
    for (const password of [account.password, 'wrong']) {
      const WSAutorizacion = { ...authorizationOf(account), Password: password };
      const body = withProperty({ WSAutorizacion, IdFactura: '1001' }, '"__proto__": {"Importe": 1}');
      const { status, body: answer } = await call('WSObtenerFactura', {}, { body });
      expect([status, answer.Resultado]).toEqual([
        200,
        {
          Exito: false,
          Codigo: 'VALIDATION_ERROR',
          Mensaje: 'Los datos no son válidos. __proto__ es un nombre reservado.',
        },
      ]);
    }
  });
});
