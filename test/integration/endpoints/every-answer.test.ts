import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { openApi } from '../../support/answers/contract-faults.ts';
import { headersOf, type TestRequest } from '../../support/service/handlers.ts';
import { legacyCallsOf } from '../../support/legacy/legacy.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import type { WatchedPortal } from '../../support/service/portal.ts';
import { type AccountOverrides, newId, seedAccount } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { SIGNING_KEY } from '../../../lib/storage/items/keys.ts';
import { seedSigningKey, tokenFor } from '../../support/service/tokens.ts';
import { useDate } from '../../support/setup/use-date.ts';

const START = Date.parse('2026-05-01T10:00:00.000Z');

const portal = useWatchedPortal();
useDate(START);

interface Sent {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

interface Rate {
  readonly limit: number;
  readonly remaining: number;
  readonly windowSeconds: number;
}

/** Expects all headers that an answer has, and no others; null: no rate applies to it. */
function expectHeaders({ status, headers }: Sent, rate: Rate | null): void {
  expect(headers).toEqual({
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Strict-Transport-Security': 'max-age=31536000',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'X-Request-Id': expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    ...(rate && {
      'X-RateLimit-Limit': String(rate.limit),
      'X-RateLimit-Remaining': String(rate.remaining),
      'X-RateLimit-Reset': String(START / 1000 + rate.windowSeconds),
    }),
    ...(status === 429 && { 'Retry-After': '60' }),
  });
}

const declaration = { invoice_id: '1001', amount: 1 };
const detailPath = (id: string) => `/apidev/v1/supplier-portal/invoices/${id}`;
const march = { startdate: '2026-03-01', enddate: '2026-03-31' };

/**
 * A good request to each supplier endpoint, one with an invalid input and, where there is one, one for an absent
 * invoice.
 */
const endpoints = {
  'list-invoices': { limit: 30, good: { query: march }, invalid: { query: { ...march, limit: 0 } }, absent: null },
  'get-invoice': {
    limit: 30,
    good: { path: detailPath('1001') },
    invalid: { path: detailPath('x') },
    absent: { path: detailPath('7') },
  },
  'validate-amount': ofBody(30, declaration, { ...declaration, invoice_id: '7' }),
  'declare-invoice': ofBody(10, declaration, { ...declaration, invoice_id: '7' }),
  'declare-batch': ofBody(10, { declarations: [declaration] }, null),
};
type Name = keyof typeof endpoints;

function ofBody(limit: number, good: object, absent: object | null) {
  return { limit, good: { body: good }, invalid: { body: '{' }, absent: absent && { body: absent } };
}

interface Situation {
  readonly status: number;
  /** What the request takes from the limit. */
  readonly taken: number;
  readonly request: 'good' | 'invalid' | 'absent';
  readonly overrides?: AccountOverrides;
  readonly headers?: Readonly<Record<string, undefined>>;
  readonly fails?: Parameters<WatchedPortal['proxy']['fail']>[0];
}

const situations: readonly Situation[] = [
  { status: 200, taken: 1, request: 'good' },
  { status: 400, taken: 1, request: 'invalid' },
  { status: 401, taken: 0, request: 'good', headers: { authorization: undefined } },
  { status: 403, taken: 1, request: 'good', overrides: { supplier: null } },
  { status: 404, taken: 1, request: 'absent' },
  { status: 500, taken: 1, request: 'good', fails: { table: 'Invoices', how: 'error' } },
  { status: 503, taken: 1, request: 'good', fails: { operation: 'BatchGetItem', table: 'Directory', how: 'error' } },
];
const cases = (Object.keys(endpoints) as Name[]).flatMap((name) =>
  situations.filter(({ request }) => endpoints[name][request] !== null).map((situation) => ({ name, ...situation })),
);

/** A caller with the invoice 1001. */
async function newCaller(overrides: AccountOverrides = {}) {
  const caller = await portal.newCaller(overrides);
  await seedInvoices(portal.engine, caller.account.scope, [anInvoice({ invoiceId: '1001' })]);
  return caller;
}

describe('the headers of every answer', () => {
  it('are tested for every status that a supplier endpoint and the login are documented with', () => {
    const tested: Record<string, number[]> = { login: [200, 400, 401, 403, 429, 500, 503] };
    for (const { name, status } of cases) (tested[name] ??= [429]).push(status);
    for (const { operationId, responses } of Object.values(openApi.paths).flatMap((path) => Object.values(path))) {
      const statuses = tested[operationId]?.toSorted((a, b) => a - b);
      const documented = Object.keys(responses);
      if (!operationId.startsWith('WS')) expect([operationId, statuses]).toEqual([operationId, documented.map(Number)]);
    }
  });

  it.each(cases)(
    'tell request and rate: $name, $status [errors/rule-3] [rate-headers/X-RateLimit-Limit] [$name/rate-limit]',
    async ({ name, status, taken, request, overrides, headers = {}, fails }) => {
      const { call } = await newCaller(overrides);
      if (fails) portal.proxy.fail(fails);
      const { limit, [request]: sent } = endpoints[name];
      const answer = await call(name, { ...(sent as TestRequest), headers });
      expect(answer.status).toBe(status);
      expectHeaders(answer, { limit, remaining: limit - taken, windowSeconds: 60 });
    },
  );

  it.each(Object.keys(endpoints) as Name[])(
    'count down to 0, and then say when to come back: %s, 429 [rate-headers/X-RateLimit-Remaining] [rate-headers/X-RateLimit-Reset] [rate-headers/Retry-After] [$0/rate-limit]',
    async (name) => {
      const { limit, good } = endpoints[name];
      const { call } = await newCaller();
      for (let remaining = limit - 1; remaining >= 0; remaining--) {
        expectHeaders(await call(name, good), { limit, remaining, windowSeconds: 60 });
      }
      const refused = await call(name, good);
      expect(refused.status).toBe(429);
      expectHeaders(refused, { limit, remaining: 0, windowSeconds: 60 });
    },
  );

  it.each([
    [200, 5, {}, {}],
    [400, 5, {}, { email: undefined }],
    [401, 4, {}, { password: 'wrong' }],
    [403, 5, { company: { status: 'SUSPENDED' } }, {}],
  ] as const)(
    'of a login tell request and failures: %i [errors/rule-3] [rate-headers/X-RateLimit-Limit] [rate-headers/X-RateLimit-Remaining]',
    async (status, remaining, overrides, fields) => {
      const answer = await login(overrides, fields);
      expect(answer.status).toBe(status);
      expectHeaders(answer, { limit: 5, remaining, windowSeconds: 30 });
    },
  );

  it.each([
    [500, 'there is no signing key', deleteSigningKey],
    [503, 'Directory cannot be reached', () => portal.proxy.fail({ table: 'Directory', how: 'refuse' })],
  ] as const)(
    'of a login are the same: %i, when %s [errors/rule-3] [common/request-id]',
    async (status, _what, spoil) => {
      await spoil();
      const answer = await login();
      expect(answer.status).toBe(status);
      expectHeaders(answer, { limit: 5, remaining: 5, windowSeconds: 30 });
      await seedSigningKey(portal.engine);
    },
  );

  it('of wrong logins count down from 5 to 0; then a 429 has only Retry-After [rate-headers/X-RateLimit-Remaining] [rate-headers/login]', async () => {
    const sourceIp = newId();
    const malformed = await login({}, { password: undefined }, sourceIp);
    expectHeaders(malformed, { limit: 5, remaining: 5, windowSeconds: 30 });
    for (const remaining of [4, 3, 2, 1, 0]) {
      const wrong = await login({}, { password: 'wrong' }, sourceIp);
      expect(wrong.status).toBe(401);
      expectHeaders(wrong, { limit: 5, remaining, windowSeconds: 30 });
    }
    const blocked = await login({}, {}, sourceIp);
    expect(blocked.status).toBe(429);
    expectHeaders(blocked, null);
  });

  it.each<[number, string, Rate | null]>([
    [200, 'WSObtenerFactura', { limit: 30, remaining: 29, windowSeconds: 60 }],
    [404, 'WSNada', null],
    [500, 'WSObtenerFactura', { limit: 30, remaining: 29, windowSeconds: 60 }],
    [503, 'WSObtenerFactura', { limit: 30, remaining: 30, windowSeconds: 60 }],
  ])('of the legacy route are the same: %i [errors/rule-3] [common/request-id]', async (status, operation, rate) => {
    const { account } = await newCaller();
    if (status === 500) portal.proxy.fail({ table: 'Invoices', how: 'error' });
    if (status === 503) portal.proxy.fail({ table: 'Directory', how: 'error' });
    const answer = await legacyCallsOf(portal.invoke, account)(operation, { IdFactura: '1001' });
    expect(answer.status).toBe(status);
    expectHeaders(answer, rate);
  });
});

describe('the request id of an answer', () => {
  it('is new for each request, whatever the client sends [errors/rule-3] [common/request-id]', async () => {
    const account = await seedAccount(portal.engine);
    const headers = {
      ...headersOf(account, await tokenFor(account.reference, portal.signingKey)),
      'x-request-id': 'mine',
    };
    const send = () => portal.invoke('get-invoice', { headers, path: detailPath('1001') });
    const ids = (await Promise.all([send(), send()])).map((answer) => answer.headers['X-Request-Id']);
    expect(new Set(ids).size).toBe(2);
    expect(ids).not.toContain('mine');
  });
});

/** Logs in as a new account, from an address of its own unless one is named. */
async function login(overrides: AccountOverrides = {}, fields: object = {}, sourceIp = newId()) {
  const { scope, email, password } = await seedAccount(portal.engine, overrides);
  const body = { email, password, ...fields };
  return portal.invoke('login', { headers: { tenant: scope.tenant }, body, sourceIp });
}

async function deleteSigningKey(): Promise<void> {
  const { client, tables } = portal.engine;
  await client.send(new DeleteCommand({ TableName: tables.SigningKeys, Key: SIGNING_KEY }));
}
