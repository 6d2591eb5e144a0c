import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loginContract } from '../../../lib/contracts/login.ts';
import { login as validate } from '../../../lib/contracts/validators.generated.js';
import { ServiceError } from '../../../lib/domain/errors.ts';
import * as texts from '../../../lib/domain/texts.ts';
import { handleLoginRejections } from '../../../lib/http/guard-login.ts';
import { requireTenant } from '../../../lib/http/credentials.ts';
import { parseValidInput, readBody } from '../../../lib/http/input.ts';
import { createChain } from '../../../lib/http/responses.ts';
import type { RequestState } from '../../../lib/http/chain.ts';
import { LoginBlockedError } from '../../../lib/access/login-guard.ts';
import { LOGIN_POLICY, type RateStatus } from '../../../lib/domain/policies.ts';
import { buildRequestState } from '../../support/service/request-state.ts';
import { useDate } from '../../support/setup/use-date.ts';
import { proves } from '../../rules/proves.ts';

// The log line contains the namespace of the metrics, which a function reads from its environment.
vi.hoisted(() => {
  vi.stubEnv('METRICS_NAMESPACE', 'SupplierPortal');
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
  const handler = createChain('login', { limit: LOGIN_POLICY })
    .use(handleLoginRejections({ getStatus }, 'login'))
    .use(requireTenant())
    .use(parseValidInput(readBody, loginContract, validate))
    .handler(endpoint);
  const requestContext = { requestId: 'request-1', identity: { sourceIp: '192.0.2.1' } };
  const event = { requestContext, headers, body, isBase64Encoded: false } as unknown as APIGatewayProxyEvent;
  const response = await handler(event, { getRemainingTimeInMillis: () => 10_000 } as Context);
  const { headers: { 'Retry-After': retryAfter, ...sent } = {} } = response;
  const rate = ['Limit', 'Remaining', 'Reset'].flatMap((name) => sent[`X-RateLimit-${name}`] ?? []).map(Number);
  const { error } = JSON.parse(response.body) as { error?: { code: string; message: string } };
  return { status: response.statusCode, error, rate, retryAfter, readSources: getStatus.mock.calls.flat() };
}

const allow = async () => ({ limit: 5, remaining: 3, resetAt: 1 });
const lockOut = () => Promise.reject(new LoginBlockedError('blocked-source', 42));
const failRead = () => Promise.reject(new Error('no response'));

const malformed = [
  ['without a tenant', { headers: json }, 401],
  ['with an invalid tenant', { headers: { ...json, tenant: 'no domain' } }, 401],
  ['with a body that is not JSON', { body: '{' }, 400],
  ['with another media type', { headers: tenant }, 400],
  ['with an unpaired surrogate', { body: String.raw`{"email": "\ud83d", "password": "p"}` }, 400],
  ['without a password', { body: '{"email": "e"}' }, 400],
] as const;

it.each(malformed)(
  'a login %s returns 429 while its source is locked out, else its own error with the remaining failures',
  async (_, request, status) => {
    proves('auth/rule-6/every-attempt', 'auth/rule-6/headers', 'login/tenant', 'login/content-type');
    proves('rate-headers/login', 'rate-headers/X-RateLimit-Remaining');
    const error = { code: 'RATE_LIMITED', message: texts.tooManyLogins.en };
    const lockedOut = { status: 429, error, rate: [], retryAfter: '42', readSources: ['192.0.2.1'] };
    expect(await attempt(lockOut, request)).toEqual(lockedOut);
    expect(await attempt(allow, request)).toMatchObject({ status, rate: [5, 3, 1], retryAfter: undefined });
    const fullLimit = [5, 5, NOW.getTime() / 1000 + 30];
    expect(await attempt(failRead, request)).toMatchObject({ status, rate: fullLimit, retryAfter: undefined });
  },
);

it('loginBlock logs a warning if the guard cannot be read', async () => {
  const state = buildRequestState({});
  const logged: unknown[] = [];
  state.logger.warn = (message, attributes) => logged.push([message, attributes]);
  const error = new ServiceError('UNAUTHORIZED', texts.wrongLogin);
  const { onError } = handleLoginRejections({ getStatus: failRead }, 'login');
  await onError?.({ event: { state }, error } as never);
  expect(logged).toEqual([['The login guard could not be read.', { error: new Error('no response') }]]);
});

const identity = { tenant: 'demo.example', userId: '77', companyId: '5', supplierId: '9' };
const wrongCredentials = new ServiceError('UNAUTHORIZED', texts.wrongLogin, { reason: 'wrong-credentials' });
const inactiveError = new ServiceError('UNAUTHORIZED', texts.userInactive, { reason: 'inactive-user' });
const suspendedError = new ServiceError('COMPANY_SUSPENDED', texts.companySuspended);
const verificationError = new ServiceError('SERVICE_UNAVAILABLE', texts.userNotVerified);

it.each<[string, number, Error | null, Partial<RequestState>, string?]>([
  ['that succeeds', 200, null, { identity }],
  ['with wrong credentials', 401, wrongCredentials, {}, 'wrong-credentials'],
  ['of an inactive user', 401, inactiveError, { identity }, 'not-allowed'],
  ['of a suspended company', 403, suspendedError, { identity }, 'not-allowed'],
  ['on a locked account', 429, new LoginBlockedError('account-locked', 7), {}, 'account-locked'],
  ['that could not be verified', 503, verificationError, { identity }],
])(
  'loginBlock does not read the guard again for a login %s, and logs the reason of a rejection',
  async (_what, status, error, stateChanges, rejection) => {
    let state: RequestState | undefined;
    const endpoint = async (request: RequestState) => {
      state = Object.assign(request, stateChanges);
      if (error) throw error;
      return { data: {} };
    };
    expect(await attempt(lockOut, {}, endpoint)).toMatchObject({ status, readSources: [] });
    expect(state?.loginRejection).toBe(rejection);
  },
);

it('a legacy call rejected after the check of its credentials is no rejected login and does not read the guard', async () => {
  const getStatus = vi.fn(allow);
  const state = buildRequestState({ identity });
  const error = new ServiceError('UNAUTHORIZED', texts.keyInvalid);
  await handleLoginRejections({ getStatus }, 'legacy').onError?.({ event: { state }, error } as never);
  expect([state.loginRejection, getStatus.mock.calls]).toEqual([undefined, []]);
});
