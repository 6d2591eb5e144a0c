import middy from '@middy/core';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { type RatePolicy, computeRateStatus } from '../domain/policies.ts';
import { toErrorObject } from '../contracts/to-response.ts';
import { ERROR_CODES, ServiceError } from '../domain/errors.ts';
import type { Language } from '../domain/language.ts';
import { unexpected } from '../domain/texts.ts';
import type { Success } from '../endpoints/endpoint.ts';
import { type Chain, createTypedChain, type PortalMiddleware, type RequestState } from './chain.ts';
import { createRequestState, logRequest } from './request.ts';

/** The limit that the rate headers show; null if the response has no rate headers. */
type HeaderLimit = Pick<RatePolicy, 'limit' | 'windowMs'> | null;

/** Creates a chain that builds the response of each request, and then logs the request. */
export function createChain(
  endpoint: string,
  { limit = null, format = ENVELOPE }: { readonly limit?: HeaderLimit; readonly format?: ResponseFormat } = {},
): Chain<RequestState> {
  return createTypedChain(middy()).use(createRequestState(endpoint)).use(buildResponses(limit, format));
}

/**
 * Converts the result of the endpoint, or the error of the request, to a response, and logs the request. Converts every
 * error that is not a ServiceError to an INTERNAL_ERROR, so that no response contains its cause. The rate headers of a
 * request that was not counted show an unused limit. If `limit` is null, a later middleware can set their values.
 */
function buildResponses(limit: HeaderLimit, format: ResponseFormat): PortalMiddleware {
  return {
    before({ event: { state } }) {
      state.rate = limit && computeRateStatus(limit, [], state.receivedAt.getTime());
    },
    after(request) {
      const { state } = request.event;
      const response = toResult(format.success(request.response as Success), state);
      request.response = response;
      logRequest(state, response.statusCode);
    },
    onError(request) {
      const { state } = request.event;
      const error = toServiceError(request.error);
      const response = toResult(format.error(error, state.language), state);
      request.response = response;
      logRequest(state, response.statusCode, error);
    },
  };
}

function toServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : new ServiceError('INTERNAL_ERROR', unexpected, { cause: error });
}

function toResult({ status, body }: ResponseContent, state: RequestState): APIGatewayProxyResult {
  return { statusCode: status, headers: buildHeaders(state), body: JSON.stringify(body) };
}

function buildHeaders(state: RequestState): Record<string, string> {
  const { requestId, rate, retryAfterSeconds, ignoredFields = [] } = state;
  return {
    'Content-Type': 'application/json',
    ...RESPONSE_HEADERS,
    'X-Request-Id': requestId,
    ...(rate && {
      'X-RateLimit-Limit': rate.limit.toString(),
      'X-RateLimit-Remaining': rate.remaining.toString(),
      'X-RateLimit-Reset': rate.resetAt.toString(),
    }),
    ...(retryAfterSeconds !== undefined && { 'Retry-After': retryAfterSeconds.toString() }),
    ...(ignoredFields.length > 0 && { 'X-Ignored-Fields': ignoredFields.join(', ') }),
  };
}

/** The headers of every response of the functions and of the gateway: no cache, no sniffing, only HTTPS for a year. */
export const RESPONSE_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  // `includeSubDomains` is omitted, because this service does not know whether subdomains have HTTPS.
  'Strict-Transport-Security': 'max-age=31536000',
  // A response is not a page. Therefore a browser must not load anything for it, or show it in a frame.
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

interface ResponseContent {
  readonly status: number;
  readonly body: object;
}

export interface ResponseFormat {
  readonly success: (success: Success) => ResponseContent;
  readonly error: (error: ServiceError, language: Language) => ResponseContent;
}

/** The format of the current interface: `success`, then `data` and `meta`, or `error`. */
export const ENVELOPE: ResponseFormat = {
  success: ({ data, meta }) => ({ status: 200, body: { success: true, data, meta: meta ?? {} } }),
  error: (error, language) => ({
    status: ERROR_CODES[error.code].status,
    body: { success: false, error: toErrorObject(error, language) },
  }),
};
