import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PORTAL_POLICIES } from '../../../lib/domain/policies.ts';
import { ServiceError, createValidationError } from '../../../lib/domain/errors.ts';
import * as texts from '../../../lib/domain/texts.ts';
import type { Success } from '../../../lib/endpoints/endpoint.ts';
import { createChain } from '../../../lib/http/responses.ts';
import { useDate } from '../../support/setup/use-date.ts';
import { proves } from '../../rules/proves.ts';

// The log line contains the namespace of the metrics, which a function reads from its environment.
vi.hoisted(() => vi.stubEnv('METRICS_NAMESPACE', 'SupplierPortal'));
useDate(new Date('2026-07-01T10:00:00.000Z'));
let logged: string[];
beforeEach(() => {
  logged = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => logged.push(String(text)) > 0);
  }
});
afterEach(() => vi.restoreAllMocks());

const always = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Request-Id': 'request-1',
};
const rateHeaders = { 'X-RateLimit-Limit': '30', 'X-RateLimit-Remaining': '30', 'X-RateLimit-Reset': '1782900060' };

/** Runs a chain whose endpoint has a result, and returns the response. */
async function respond(result: Success | Error) {
  const handler = createChain('test', { limit: PORTAL_POLICIES.read }).handler(() => {
    if (result instanceof Error) throw result;
    return result;
  });
  const requestContext = { requestId: 'request-1', identity: { sourceIp: '192.0.2.1' } };
  const event = { requestContext, headers: {} } as unknown as APIGatewayProxyEvent;
  return handler(event, { getRemainingTimeInMillis: () => 10_000 } as Context);
}

const meta = { total: 3, limit: 25, offset: 0 };
it.each([
  ['success has data and an empty meta', undefined, {}],
  ['list has data and its meta', meta, meta],
])('the envelope of a %s', async (_, listMeta, expected) => {
  proves('envelope/success', 'envelope/meta-object', 'envelope/meta-list', 'envelope/error');
  const { statusCode, body } = await respond({ data: { id: '9' }, ...(listMeta && { meta: listMeta }) });
  expect([statusCode, JSON.parse(body)]).toEqual([200, { success: true, data: { id: '9' }, meta: expected }]);
});

it('the envelope of an error has a code and a message, and no data', async () => {
  proves('envelope/success', 'envelope/data-error', 'envelope/error', 'error-envelope/success');
  proves('error-envelope/code', 'error-envelope/message', 'error-envelope/no-data');
  const { statusCode, body } = await respond(new ServiceError('COMPANY_SUSPENDED', texts.companySuspended));
  const error = { code: 'COMPANY_SUSPENDED', message: 'The company account is suspended.' };
  expect([statusCode, JSON.parse(body)]).toEqual([403, { success: false, error }]);
});

it('the envelope of a validation error has the details', async () => {
  proves('error-envelope/details');
  const minimum = { en: 'amount must be >= 0', es: 'amount debe ser >= 0' };
  const { body } = await respond(createValidationError([{ property: 'amount', constraints: { minimum } }]));
  const details = [{ property: 'amount', constraints: { minimum: minimum.en } }];
  const error = { code: 'VALIDATION_ERROR', message: 'Invalid request: amount.', details };
  expect(JSON.parse(body)).toEqual({ success: false, error });
});

it('an unexpected error gets a complete response without its cause, which only the log line contains', async () => {
  proves('codes/INTERNAL_ERROR/failure');
  const { statusCode, headers, body } = await respond(new Error('table Invoices: no access'));
  const error = { code: 'INTERNAL_ERROR', message: 'An unexpected error occurred.' };
  expect([statusCode, headers, JSON.parse(body)]).toEqual([
    500,
    { ...always, ...rateHeaders },
    { success: false, error },
  ]);
  expect(logged).toHaveLength(1);
  expect(JSON.parse(logged[0] ?? '')).toMatchObject({ status: 500, error: { message: 'table Invoices: no access' } });
});
