import type { APIGatewayProxyResult } from 'aws-lambda';
import { expect, it } from 'vitest';
import { ServiceError, createValidationError } from '../../../lib/domain/errors.ts';
import * as texts from '../../../lib/domain/texts.ts';
import type { Success } from '../../../lib/endpoints/endpoint.ts';
import type { PortalRequest, RequestState } from '../../../lib/http/chain.ts';
import { addResponseHeaders, ENVELOPE, formatResponses, hideUnexpectedErrors } from '../../../lib/http/responses.ts';
import { buildRequestState } from '../../support/service/request-state.ts';
import { proves } from '../../rules/proves.ts';

const state = buildRequestState({ rate: { limit: 30, remaining: 29, resetAt: 1_782_900_060 } });
const always = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Request-Id': 'request-1',
};
const rateHeaders = { 'X-RateLimit-Limit': '30', 'X-RateLimit-Remaining': '29', 'X-RateLimit-Reset': '1782900060' };
/** Runs the response middleware on the result of an endpoint, and returns the response and the error. */
function respond(hook: 'after' | 'onError', result: { response?: Success; error?: Error }, at: RequestState) {
  const request = { ...result, event: { state: at } } as PortalRequest<never>;
  for (const middleware of [hideUnexpectedErrors(), formatResponses(ENVELOPE), addResponseHeaders(null)])
    middleware[hook]?.(request);
  return { ...(request.response as APIGatewayProxyResult), error: request.error };
}
const successResponse = (response: Success, at: RequestState) => respond('after', { response }, at);
const errorResponse = (error: Error, at: RequestState) => respond('onError', { error }, at);

const notFound = new ServiceError('NOT_FOUND', texts.invoiceNotFound);
const rateLimited = new ServiceError('RATE_LIMITED', texts.tooManyRequests);
const limitedState = { ...state, retryAfterSeconds: 12 };
const retryAfter = { 'Retry-After': '12' };

it.each([
  [
    'contain the content type, the security headers, the request id and the rate on a success',
    ...[successResponse({ data: {} }, state), rateHeaders],
  ],
  [
    'contain the content type, the security headers, the request id and the rate on an error',
    ...[errorResponse(notFound, state), rateHeaders],
  ],
  [
    'contain Retry-After and the rate on a 429',
    ...[errorResponse(rateLimited, limitedState), { ...rateHeaders, ...retryAfter }],
  ],
  [
    'contain no rate on a response without a rate limit',
    ...[errorResponse(rateLimited, { ...limitedState, rate: null }), retryAfter],
  ],
] as const)('response headers %s', (_, { headers }, others) => {
  proves('common/request-id', 'rate-headers/Retry-After', 'rate-headers/login');
  expect(headers).toEqual({ ...always, ...others });
});

const meta = { total: 3, limit: 25, offset: 0 };
it.each([
  ['success has data and an empty meta', undefined, {}],
  ['list has data and its meta', meta, meta],
])('the envelope of a %s', (_, listMeta, expected) => {
  proves('envelope/success', 'envelope/meta-object', 'envelope/meta-list', 'envelope/error');
  const { statusCode, body } = successResponse({ data: { id: '9' }, ...(listMeta && { meta: listMeta }) }, state);
  expect([statusCode, JSON.parse(body)]).toEqual([200, { success: true, data: { id: '9' }, meta: expected }]);
});

it('the envelope of an error has a code and a message, and no data', () => {
  proves('envelope/success', 'envelope/data-error', 'envelope/error', 'error-envelope/success');
  proves('error-envelope/code', 'error-envelope/message', 'error-envelope/no-data');
  const { statusCode, body } = errorResponse(new ServiceError('COMPANY_SUSPENDED', texts.companySuspended), state);
  const error = { code: 'COMPANY_SUSPENDED', message: 'The company account is suspended.' };
  expect([statusCode, JSON.parse(body)]).toEqual([403, { success: false, error }]);
});

it('the envelope of a validation error has the details', () => {
  proves('error-envelope/details');
  const minimum = { en: 'amount must be >= 0', es: 'amount debe ser >= 0' };
  const { body } = errorResponse(createValidationError([{ property: 'amount', constraints: { minimum } }]), state);
  const details = [{ property: 'amount', constraints: { minimum: minimum.en } }];
  const error = { code: 'VALIDATION_ERROR', message: 'Invalid request: amount.', details };
  expect(JSON.parse(body)).toEqual({ success: false, error });
});

it('an unexpected error becomes INTERNAL_ERROR, and its cause is not in the response', () => {
  proves('codes/INTERNAL_ERROR/failure');
  const cause = new Error('table Invoices: credentials of 10.0.0.1 rejected');
  const { error, body, statusCode } = errorResponse(cause, state);
  expect(error).toMatchObject({ code: 'INTERNAL_ERROR', message: 'An unexpected error occurred.', cause });
  expect(statusCode).toBe(500);
  expect(body).not.toContain('Invoices');
});
