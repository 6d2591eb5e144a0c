import middy from '@middy/core';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { PORTAL_POLICIES, type RatePolicy, computeRateStatus } from '../access/policies.ts';
import type { Contract } from '../contracts/contract.ts';
import { toErrorObject } from '../contracts/to-response.ts';
import type { AccessKind } from '../domain/directory.ts';
import { ERROR_CODES, ServiceError } from '../domain/errors.ts';
import type { Language } from '../domain/language.ts';
import { unexpected } from '../domain/texts.ts';
import type { Success } from '../endpoints/endpoint.ts';
import {
  type After,
  type Chain,
  type PortalMiddleware,
  type PortalRequest,
  type RequestState,
  createTypedChain,
} from './chain.ts';
import { logRequest, createRequestState } from './request.ts';

/** The limit that the rate headers show; null if the response has no rate headers. */
type HeaderLimit = Pick<RatePolicy, 'limit' | 'windowMs'> | null;

/**
 * Creates a chain that logs the request and builds its response. Responses and errors pass the middlewares from the
 * bottom to the top: an unexpected error is hidden before it is formatted, and the final response is logged.
 */
export function createChain(
  endpoint: string,
  { limit = null, format = ENVELOPE }: { readonly limit?: HeaderLimit; readonly format?: ResponseFormat } = {},
): Chain<RequestState & After<'hideUnexpectedErrors'>> {
  return createTypedChain(middy())
    .use(createRequestState(endpoint))
    .use(logRequest())
    .use(addResponseHeaders(limit))
    .use(formatResponses(format))
    .use(hideUnexpectedErrors());
}

/** Creates the chain of a supplier endpoint. The rate headers of its responses show the limit of the contract. */
export function createPortalChain({ name, access }: Contract & { readonly access: AccessKind }) {
  return createChain(name, { limit: PORTAL_POLICIES[access] });
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

/**
 * Adds RESPONSE_HEADERS, the request id and the rate headers to every response. The rate headers of a request that was
 * not counted show an unused limit. If `limit` is null, a later middleware can set the values of the rate headers.
 */
export function addResponseHeaders(
  limit: HeaderLimit,
): PortalMiddleware<RequestState & After<'logRequest'>, After<'addResponseHeaders'>> {
  return {
    before({ event: { state } }) {
      state.rate = limit && computeRateStatus(limit, [], state.receivedAt.getTime());
    },
    after: addHeaders,
    onError: addHeaders,
  };
}

function addHeaders({ event, response }: PortalRequest): void {
  const { requestId, rate, retryAfterSeconds } = event.state;
  (response as APIGatewayProxyResult).headers = {
    'Content-Type': 'application/json',
    ...RESPONSE_HEADERS,
    'X-Request-Id': requestId,
    ...(rate && {
      'X-RateLimit-Limit': rate.limit.toString(),
      'X-RateLimit-Remaining': rate.remaining.toString(),
      'X-RateLimit-Reset': rate.resetAt.toString(),
    }),
    ...(retryAfterSeconds !== undefined && { 'Retry-After': retryAfterSeconds.toString() }),
  };
}

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

/** Converts the result of the endpoint, or the error of the request, to a response. */
export function formatResponses(
  format: ResponseFormat,
): PortalMiddleware<RequestState & After<'addResponseHeaders'>, After<'formatResponses'>> {
  return {
    after(request) {
      request.response = toResult(format.success(request.response as Success));
    },
    onError(request) {
      request.response = toResult(format.error(request.error as ServiceError, request.event.state.language));
    },
  };
}

function toResult({ status, body }: ResponseContent): APIGatewayProxyResult {
  return { statusCode: status, body: JSON.stringify(body) };
}

/** Converts every error that is not a ServiceError to an INTERNAL_ERROR, whose response does not contain the cause. */
export function hideUnexpectedErrors(): PortalMiddleware<
  RequestState & After<'formatResponses'>,
  After<'hideUnexpectedErrors'>
> {
  return {
    onError(request) {
      const { error } = request;
      if (error instanceof ServiceError) return;
      request.error = new ServiceError('INTERNAL_ERROR', unexpected, { cause: error });
    },
  };
}
