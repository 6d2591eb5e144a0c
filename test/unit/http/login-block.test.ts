import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loginContract } from '../../../lib/contracts/login.ts';
import { login as validate } from '../../../lib/contracts/validators.generated.js';
import { ServiceError } from '../../../lib/domain/errors.ts';
import * as texts from '../../../lib/domain/texts.ts';
import { handleLoginRejections } from '../../../lib/http/guard-login.ts';
import * as http from '../../../lib/http/middleware.ts';
import type { RequestState } from '../../../lib/http/chain.ts';
import { LoginBlocked } from '../../../lib/access/login-guard.ts';
import { LOGIN_POLICY, type RateStatus } from '../../../lib/access/policies.ts';
import { aRequest } from '../../support/service/request-state.ts';
import { useDate } from '../../support/setup/use-date.ts';

// The log line names the metrics' namespace, which a function has in its environment.
vi.hoisted(() => {
  vi.stubEnv('POWERTOOLS_METRICS_NAMESPACE', 'SupplierPortal');
});
beforeEach(() => {
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const NOW = new Date('2026-07-01T10:00:00.000Z');
useDate(NOW);
const right = { email: 'ana@demo.example', password: 'secret' };
const tenant = { tenant: 'demo.example' };
const json = { 'content-type': 'application/json' };

async function attempt(
  guard: () => Promise<RateStatus>,
  { headers = { ...tenant, ...json }, body = JSON.stringify(right) }: { headers?: object; body?: string } = {},
  endpoint: (request: RequestState) => Promise<{ data: object }> = async () => ({ data: {} }),
) {
  const getStatus = vi.fn<(source: string) => Promise<RateStatus>>(guard);
  const handler = http
    .createChain('login', { limit: LOGIN_POLICY })
    .use(handleLoginRejections({ getStatus }, 'login'))
    .use(http.requireTenant())
    .use(http.parseValidInput(http.createBodyReader(), loginContract, validate))
    .handler(endpoint);
  const requestContext = { requestId: 'request-1', identity: { sourceIp: '192.0.2.1' } };
  const event = { requestContext, headers, body, isBase64Encoded: false } as unknown as APIGatewayProxyEvent;
  const answer = await handler(event, { getRemainingTimeInMillis: () => 10_000 } as Context);
  const { headers: { 'Retry-After': wait, ...sent } = {} } = answer;
  const rate = ['Limit', 'Remaining', 'Reset'].flatMap((name) => sent[`X-RateLimit-${name}`] ?? []).map(Number);
  const { error } = JSON.parse(answer.body) as { error?: { code: string; message: string } };
  return { status: answer.statusCode, error, rate, wait, asked: getStatus.mock.calls.flat() };
}

const open = async () => ({ limit: 5, remaining: 3, resetAt: 1 });
const blocked = () => Promise.reject(new LoginBlocked('blocked-source', 42));
const unreadable = () => Promise.reject(new Error('no answer'));

const malformed = [
  ['without a tenant', { headers: json }, 401],
  ['with a tenant that is none', { headers: { ...json, tenant: 'no domain' } }, 401],
  ['that is no JSON', { body: '{' }, 400],
  ['of another media type', { headers: tenant }, 400],
  ['with half a character', { body: String.raw`{"email": "\ud83d", "password": "p"}` }, 400],
  ['without a password', { body: '{"email": "e"}' }, 400],
] as const;

it.each(malformed)(
  'a malformed attempt to log in, %s, is refused with 429 and only Retry-After while its source is blocked; else it gets its own answer with what is left of the failures, or the untouched limit when the guard cannot be read [auth/rule-6/every-attempt] [auth/rule-6/headers] [login/tenant] [login/content-type] [rate-headers/login] [rate-headers/X-RateLimit-Remaining]',
  async (_, request, status) => {
    const error = { code: 'RATE_LIMITED', message: texts.tooManyLogins.en };
    const refused = { status: 429, error, rate: [], wait: '42', asked: ['192.0.2.1'] };
    expect(await attempt(blocked, request)).toEqual(refused);
    expect(await attempt(open, request)).toMatchObject({ status, rate: [5, 3, 1], wait: undefined });
    const untouched = [5, 5, NOW.getTime() / 1000 + 30];
    expect(await attempt(unreadable, request)).toMatchObject({ status, rate: untouched, wait: undefined });
  },
);

it('a guard that cannot be read is told of in the log', async () => {
  const state = aRequest({});
  const logged: unknown[] = [];
  state.logger.warn = (message, attributes) => logged.push([message, attributes]);
  const error = new ServiceError('UNAUTHORIZED', texts.wrongLogin);
  const { onError } = handleLoginRejections({ getStatus: unreadable }, 'login');
  await onError?.({ event: { state }, error } as never);
  expect(logged).toEqual([['The login guard could not be read.', { error: new Error('no answer') }]]);
});

const identity = { tenant: 'demo.example', userId: '77', companyId: '5', supplierId: '9' };
const wrong = new ServiceError('UNAUTHORIZED', texts.wrongLogin, { reason: 'wrong-credentials' });
const inactive = new ServiceError('UNAUTHORIZED', texts.userInactive, { reason: 'inactive-user' });
const suspended = new ServiceError('COMPANY_SUSPENDED', texts.companySuspended);
const unverified = new ServiceError('SERVICE_UNAVAILABLE', texts.userNotVerified);

it.each<[string, number, Error | null, Partial<RequestState>, string?]>([
  ['that succeeds', 200, null, { identity }],
  ['with wrong credentials', 401, wrong, {}, 'wrong-credentials'],
  ['of an inactive user', 401, inactive, { identity }, 'not-allowed'],
  ['of a suspended company', 403, suspended, { identity }, 'not-allowed'],
  ['on a locked account', 429, new LoginBlocked('account-locked', 7), {}, 'account-locked'],
  ['that could not be verified', 503, unverified, { identity }],
])(
  'the guard is not read again for an attempt %s, and the log line has the reason of a rejection',
  async (_what, status, error, known, rejection) => {
    let state: RequestState | undefined;
    const endpoint = async (request: RequestState) => {
      state = Object.assign(request, known);
      if (error) throw error;
      return { data: {} };
    };
    expect(await attempt(blocked, {}, endpoint)).toMatchObject({ status, asked: [] });
    expect(state?.loginRejection).toBe(rejection);
  },
);

it('a legacy call that is rejected after its credentials were verified is no rejected login, and costs no read of the guard', async () => {
  const getStatus = vi.fn(open);
  const state = aRequest({ identity });
  const error = new ServiceError('UNAUTHORIZED', texts.keyInvalid);
  await handleLoginRejections({ getStatus }, 'legacy').onError?.({ event: { state }, error } as never);
  expect([state.loginRejection, getStatus.mock.calls]).toEqual([undefined, []]);
});
