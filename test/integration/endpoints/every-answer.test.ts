import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../lib/domain/limits.ts';
import type { CurrentName, TestRequest } from '../../support/service/handlers.ts';
import { legacyCallsOf } from '../../support/legacy/legacy.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import type { WatchedPortal } from '../../support/service/portal.ts';
import { type AccountOverrides, newId, seedAccount } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { SIGNING_KEY } from '../../../lib/storage/items/keys.ts';
import { seedSigningKey } from '../../support/service/tokens.ts';
import { useDate } from '../../support/setup/use-date.ts';

type Fails = Parameters<WatchedPortal['proxy']['fail']>[0];

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

/** The limit of each supplier endpoint, and a good request. */
const endpoints: Readonly<Record<string, readonly [limit: number, request: TestRequest]>> = {
  'list-invoices': [LIMITS.reads, { query: { startdate: '2026-03-01', enddate: '2026-03-31' } }],
  'get-invoice': [LIMITS.reads, { path: '/apidev/v1/supplier-portal/invoices/1001' }],
  'validate-amount': [LIMITS.reads, { body: declaration }],
  'declare-invoice': [10, { body: declaration }],
  'declare-batch': [10, { body: { declarations: [declaration] } }],
};

/** A caller with the invoice 1001. */
async function newCaller(overrides: AccountOverrides = {}) {
  const caller = await portal.newCaller(overrides);
  await seedInvoices(portal.engine, caller.account.scope, [anInvoice({ invoiceId: '1001' })]);
  return caller;
}

describe('the headers of every answer', () => {
  it.each(Object.keys(endpoints) as Exclude<CurrentName, 'login'>[])(
    'tell a request id of its own and the rate, down to 0, and then when to come back: %s [errors/rule-3] [common/request-id] [rate-headers/X-RateLimit-Limit] [rate-headers/X-RateLimit-Remaining] [rate-headers/X-RateLimit-Reset] [rate-headers/Retry-After] [codes/RATE_LIMITED/wait] [$0/rate-limit]',
    async (name) => {
      const [limit = 0, request] = endpoints[name] ?? [];
      const { call } = await newCaller();
      const send = () => call(name, { ...request, headers: { 'x-request-id': 'mine' } });
      const ids = new Set<string | undefined>();
      for (let remaining = limit - 1; remaining >= 0; remaining--) {
        const answer = await send();
        expect(answer.status).toBe(200);
        expectHeaders(answer, { limit, remaining, windowSeconds: 60 });
        ids.add(answer.headers['X-Request-Id']);
      }
      expect(ids.size).toBe(limit);
      const refused = await send();
      expect([refused.status, refused.body.error?.code]).toEqual([429, 'RATE_LIMITED']);
      expectHeaders(refused, { limit, remaining: 0, windowSeconds: 60 });
    },
  );

  it.each<[status: number, remaining: number, request: TestRequest, AccountOverrides?, fails?: Fails]>([
    [400, 9, { body: '{' }],
    [401, 10, { headers: { authorization: undefined } }],
    [403, 9, {}, { supplier: null }],
    [404, 9, { body: { invoice_id: '7', amount: 1 } }],
    [500, 9, {}, {}, { table: 'Invoices', how: 'error' }],
    [503, 9, {}, {}, { operation: 'BatchGetItem', table: 'Directory', how: 'error' }],
  ])(
    'of a refusal are the same: %i [errors/rule-3] [common/request-id] [rate-headers/X-RateLimit-Remaining]',
    async (status, remaining, request, overrides, fails) => {
      const { call } = await newCaller(overrides);
      if (fails) portal.proxy.fail(fails);
      const answer = await call('declare-invoice', { body: declaration, ...request });
      expect(answer.status).toBe(status);
      expectHeaders(answer, { limit: 10, remaining, windowSeconds: 60 });
    },
  );

  it.each<[status: number, remaining: number, overrides: AccountOverrides, fields: object, spoil?: () => unknown]>([
    [200, 5, {}, {}],
    [400, 5, {}, { email: undefined }],
    [401, 4, {}, { password: 'wrong' }],
    [403, 5, { company: { status: 'SUSPENDED' } }, {}],
    [500, 5, {}, {}, deleteSigningKey],
    [503, 5, {}, {}, () => portal.proxy.fail({ table: 'Directory', how: 'refuse' })],
  ])(
    'of a login tell request and failures: %i [errors/rule-3] [rate-headers/X-RateLimit-Limit] [rate-headers/X-RateLimit-Remaining] [common/request-id]',
    async (status, remaining, overrides, fields, spoil) => {
      await spoil?.();
      const answer = await login(overrides, fields);
      expect(answer.status).toBe(status);
      expectHeaders(answer, { limit: LIMITS.loginFailures, remaining, windowSeconds: LIMITS.loginWindowSeconds });
      if (status === 500) await seedSigningKey(portal.engine);
    },
  );

  it('of wrong logins count down from 5 to 0; then a 429 has only Retry-After [rate-headers/X-RateLimit-Remaining] [rate-headers/login]', async () => {
    const sourceIp = newId();
    for (const remaining of [4, 3, 2, 1, 0]) {
      const wrong = await login({}, { password: 'wrong' }, sourceIp);
      expect(wrong.status).toBe(401);
      expectHeaders(wrong, { limit: LIMITS.loginFailures, remaining, windowSeconds: LIMITS.loginWindowSeconds });
    }
    const blocked = await login({}, {}, sourceIp);
    expect(blocked.status).toBe(429);
    expectHeaders(blocked, null);
  });

  it.each<[number, string, Rate | null]>([
    [404, 'WSNada', null],
    [
      500,
      'WSObtenerFactura',
      { limit: LIMITS.reads, remaining: LIMITS.reads - 1, windowSeconds: LIMITS.windowSeconds },
    ],
    [503, 'WSObtenerFactura', { limit: LIMITS.reads, remaining: LIMITS.reads, windowSeconds: LIMITS.windowSeconds }],
  ])('of the legacy route are the same: %i [errors/rule-3] [common/request-id]', async (status, operation, rate) => {
    const { account } = await newCaller();
    if (status === 500) portal.proxy.fail({ table: 'Invoices', how: 'error' });
    if (status === 503) portal.proxy.fail({ table: 'Directory', how: 'error' });
    const answer = await legacyCallsOf(portal.invoke, account)(operation, { IdFactura: '1001' });
    expect(answer.status).toBe(status);
    expectHeaders(answer, rate);
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
