import middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { describe, expect, it, vi } from 'vitest';
import { loginContract } from '../../../lib/contracts/login.ts';
import { login as validate } from '../../../lib/contracts/validators.generated.js';
import { ServiceError } from '../../../lib/domain/errors.ts';
import * as texts from '../../../lib/domain/texts.ts';
import type { RequestState } from '../../../lib/endpoints/endpoint.ts';
import { answerHeaders } from '../../../lib/http/answer-headers.ts';
import { typedChain } from '../../../lib/http/chain.ts';
import { tenant as tenantHeader } from '../../../lib/http/credentials.ts';
import { envelope, unexpectedErrors } from '../../../lib/http/envelope.ts';
import { input } from '../../../lib/http/input.ts';
import { jsonBody } from '../../../lib/http/json-body.ts';
import { loginBlock } from '../../../lib/http/login-block.ts';
import { requestLog, requestState } from '../../../lib/http/request.ts';
import { unicodeText } from '../../../lib/http/unicode-text.ts';
import { LoginBlocked } from '../../../lib/rate-limit/login-guard.ts';
import { LOGIN_POLICY } from '../../../lib/rate-limit/policies.ts';
import type { RateStatus } from '../../../lib/rate-limit/rate-status.ts';
import { aRequest } from '../../support/service/request-state.ts';
import { useDate } from '../../support/setup/use-date.ts';

// The log line names the metrics' namespace, which a function has in its environment.
vi.hoisted(() => {
  vi.stubEnv('POWERTOOLS_METRICS_NAMESPACE', 'SupplierPortal');
  vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'SILENT');
});

const NOW = new Date('2026-07-01T10:00:00.000Z');
useDate(NOW);
const UNTOUCHED = { limit: 5, remaining: 5, resetAt: NOW.getTime() / 1000 + 30 };
const TWO_FAILED = { limit: 5, remaining: 3, resetAt: 1 };
const right = { email: 'ana@demo.example', password: 'secret' };
const tenant = { tenant: 'demo.example' };
const json = { 'content-type': 'application/json' };

/** An attempt to log in, with what it asked of the guard. */
async function attempt(
  guard: () => Promise<RateStatus>,
  { headers = { ...tenant, ...json }, body = JSON.stringify(right) }: { headers?: object; body?: string } = {},
  endpoint: (request: RequestState) => Promise<{ data: object }> = async () => ({ data: {} }),
) {
  const look = vi.fn<(source: string) => Promise<RateStatus>>(guard);
  const handler = typedChain(middy())
    .use(requestState('login'))
    .use(requestLog())
    .use(answerHeaders(LOGIN_POLICY))
    .use(envelope())
    .use(unexpectedErrors())
    .use(loginBlock({ look }, { tellsFailures: true }))
    .use(tenantHeader())
    .use(unicodeText())
    .use(jsonBody())
    .use(input(loginContract, validate))
    .handler(endpoint);
  const requestContext = { requestId: 'request-1', identity: { sourceIp: '192.0.2.1' } };
  const event = { requestContext, headers, body, isBase64Encoded: false } as unknown as APIGatewayProxyEvent;
  const answer = await handler(event, { getRemainingTimeInMillis: () => 10_000 } as Context);
  const { headers: { 'Retry-After': wait, ...sent } = {} } = answer;
  const [limit, remaining, resetAt] = ['Limit', 'Remaining', 'Reset'].map((name) => sent[`X-RateLimit-${name}`]);
  const rate =
    limit === undefined ? null : { limit: Number(limit), remaining: Number(remaining), resetAt: Number(resetAt) };
  const { error } = JSON.parse(answer.body) as { error?: { code: string; message: string } };
  return { status: answer.statusCode, error, rate, wait, asked: look.mock.calls.flat() };
}

const open = async () => TWO_FAILED;
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

describe.each(malformed)('a malformed attempt to log in, %s,', (_, request, status) => {
  it('is refused with 429 and only Retry-After while its source is blocked [auth/rule-6/every-attempt] [auth/rule-6/headers] [rate-headers/login]', async () => {
    const answer = await attempt(blocked, request);
    expect(answer).toMatchObject({ status: 429, rate: null, wait: '42', asked: ['192.0.2.1'] });
    expect(answer.error).toEqual({ code: 'RATE_LIMITED', message: texts.tooManyLogins.en });
  });

  it('gets its own answer otherwise, with what is left of the failures [rate-headers/X-RateLimit-Remaining]', async () => {
    expect(await attempt(open, request)).toMatchObject({ status, rate: TWO_FAILED, wait: undefined });
  });

  it('gets its own answer, with the untouched limit, when the guard cannot be read', async () => {
    expect(await attempt(unreadable, request)).toMatchObject({ status, rate: UNTOUCHED, wait: undefined });
  });
});

it('a guard that cannot be read is told of in the log', async () => {
  const state = aRequest({});
  const logged: unknown[] = [];
  state.logger.warn = (message, attributes) => logged.push([message, attributes]);
  const error = new ServiceError('UNAUTHORIZED', texts.wrongLogin);
  const { onError } = loginBlock({ look: unreadable }, { tellsFailures: true });
  await onError?.({ event: { state }, error } as never);
  expect(logged).toEqual([['The login guard could not be read.', { error: new Error('no answer') }]]);
});

describe('an attempt to log in that the guard has judged', () => {
  it.each<[what: string, status: number, endpoint: (request: RequestState) => Promise<{ data: object }>]>([
    ['that succeeds', 200, async () => ({ data: {} })],
    [
      'with wrong credentials',
      401,
      async (request) => {
        request.loginRefused = 'wrong-credentials';
        throw new ServiceError('UNAUTHORIZED', texts.wrongLogin);
      },
    ],
    ['of an account whose failures are used up', 429, () => Promise.reject(new LoginBlocked('spent-account', 7))],
    [
      'that could not be verified',
      503,
      () => Promise.reject(new ServiceError('SERVICE_UNAVAILABLE', texts.userNotVerified)),
    ],
  ])('does not ask it again: one %s', async (_what, status, endpoint) => {
    expect(await attempt(blocked, {}, endpoint)).toMatchObject({ status, asked: [] });
  });
});
