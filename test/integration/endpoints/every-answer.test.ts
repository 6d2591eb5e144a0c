import { expect, it } from 'vitest';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { RESPONSE_HEADERS } from '../../../lib/http/responses.ts';
import { newId, seedAccount } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import type { CurrentName } from '../../support/service/handlers.ts';
import type { TestRequest } from '../../support/service/proxy-event.ts';
import { useDate } from '../../support/setup/use-date.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { proves } from '../../rules/proves.ts';

const START = Date.parse('2026-05-01T10:00:00.000Z');

const portal = usePortal();
useDate(START);

interface Rate {
  readonly limit: number;
  readonly remaining: number;
  readonly windowSeconds: number;
}

/** Expects exactly these headers in a response. If the rate is null, the response must have no rate headers. */
function expectHeaders(
  { status, headers }: { readonly status: number; readonly headers: object },
  rate: Rate | null,
): void {
  expect(headers).toEqual({
    'Content-Type': 'application/json',
    ...RESPONSE_HEADERS,
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

it.each<[Exclude<CurrentName, 'login'>, limit: number, request: TestRequest]>([
  ['list-invoices', 30, { query: { startdate: '2026-03-01', enddate: '2026-03-31' } }],
  ['get-invoice', 30, { path: '/apidev/v1/supplier-portal/invoices/1001' }],
  ['get-history', 30, { path: '/apidev/v1/supplier-portal/invoices/1001/history' }],
  ['validate-amount', 30, { body: declaration }],
  ['declare-invoice', 10, { body: declaration }],
  ['declare-batch', 10, { body: { declarations: [declaration] } }],
])(
  'every response of %s has a request id and the remaining rate, down to 0 of %i; then 429 has the time to wait',
  async (name, limit, request) => {
    proves('errors/rule-3', 'common/request-id', 'rate-headers/X-RateLimit-Limit');
    proves('rate-headers/X-RateLimit-Remaining', 'rate-headers/X-RateLimit-Reset', 'rate-headers/Retry-After');
    proves('codes/RATE_LIMITED/wait', `${name}/rate-limit`);
    const { account, call } = await portal.newCaller();
    await seedInvoices(portal.engine, account.scope, [buildInvoice({ invoiceId: '1001' })]);
    const send = () => call(name, { ...request, headers: { 'x-request-id': 'mine' } });
    const ids = new Set<string | undefined>();
    for (let remaining = limit - 1; remaining >= 0; remaining--) {
      const response = await send();
      expect(response.status).toBe(200);
      expectHeaders(response, { limit, remaining, windowSeconds: 60 });
      ids.add(response.headers['X-Request-Id']);
    }
    expect(ids.size).toBe(limit);
    const throttled = await send();
    expect([throttled.status, throttled.body.error?.code]).toEqual([429, 'RATE_LIMITED']);
    expectHeaders(throttled, { limit, remaining: 0, windowSeconds: 60 });
  },
);

it('the responses to wrong logins count down from 5 to 0; then a 429 has only Retry-After', async () => {
  proves('rate-headers/X-RateLimit-Remaining', 'rate-headers/login');
  const sourceIp = newId();
  const login = async (password?: string) => {
    const account = await seedAccount(portal.engine);
    const body = { email: account.email, password: password ?? account.password };
    return portal.invoke('login', { headers: { tenant: account.scope.tenant }, body, sourceIp });
  };
  for (const remaining of [4, 3, 2, 1, 0]) {
    const rejected = await login('wrong');
    expect(rejected.status).toBe(401);
    expectHeaders(rejected, { limit: LIMITS.loginFailures, remaining, windowSeconds: LIMITS.loginWindowSeconds });
  }
  const lockedOut = await login();
  expect(lockedOut.status).toBe(429);
  expectHeaders(lockedOut, null);
});
