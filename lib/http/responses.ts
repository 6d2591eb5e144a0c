import middy from '@middy/core';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { PORTAL_POLICIES, rateStatus } from '../access/policies.ts';
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
  typedChain,
} from './chain.ts';
import { requestLog, requestState } from './request.ts';

/**
 * Begins a chain with what every response has: its log line, its headers with this limit (see `answerHeaders`), and its
 * format, also for an unexpected error.
 */
export function responses(
  endpoint: string,
  limit: Parameters<typeof answerHeaders>[0],
  format: AnswerFormat = ENVELOPE,
): Chain<RequestState & After<'unexpectedErrors'>> {
  return typedChain(middy())
    .use(requestState(endpoint))
    .use(requestLog())
    .use(answerHeaders(limit))
    .use(answersIn(format))
    .use(unexpectedErrors());
}

/** Begins the chain of a supplier endpoint; the rate headers of its responses show the limit of the contract. */
export function portalResponses({ name, access }: Contract & { readonly access: AccessKind }) {
  return responses(name, PORTAL_POLICIES[access]);
}

/** The headers of every response, also of those of the gateway: no cache, no sniffing, HTTPS only for a year. */
export const ANSWER_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  // Without includeSubDomains, because this service does not know whether subdomains have HTTPS.
  'Strict-Transport-Security': 'max-age=31536000',
  // A response is no page: it must not load anything in a browser, and must not be framed.
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/**
 * Adds ANSWER_HEADERS, the request id and the rate headers to every response. The rate headers of a request that was
 * not counted show an unused limit; with null, a response has no rate headers until a later middleware sets them.
 */
export function answerHeaders(
  limit: { readonly limit: number; readonly windowMs: number } | null,
): PortalMiddleware<RequestState & After<'requestLog'>, After<'answerHeaders'>> {
  return {
    before({ event: { state } }) {
      state.rate = limit && rateStatus(limit, [], state.receivedAt.getTime());
    },
    after: addHeaders,
    onError: addHeaders,
  };
}

function addHeaders({ event, response }: PortalRequest): void {
  const { requestId, rate, retryAfterSeconds } = event.state;
  (response as APIGatewayProxyResult).headers = {
    'Content-Type': 'application/json',
    ...ANSWER_HEADERS,
    'X-Request-Id': requestId,
    ...(rate && {
      'X-RateLimit-Limit': rate.limit.toString(),
      'X-RateLimit-Remaining': rate.remaining.toString(),
      'X-RateLimit-Reset': rate.resetAt.toString(),
    }),
    ...(retryAfterSeconds !== undefined && { 'Retry-After': retryAfterSeconds.toString() }),
  };
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

export interface AnswerFormat {
  readonly success: (success: Success) => Answer;
  readonly error: (error: ServiceError, language: Language) => Answer;
}

export const ENVELOPE: AnswerFormat = {
  success: ({ data, meta }) => ({ status: 200, body: { success: true, data, meta: meta ?? {} } }),
  error: (error, language) => ({
    status: ERROR_CODES[error.code].status,
    body: { success: false, error: toErrorObject(error, language) },
  }),
};

export function answersIn(
  format: AnswerFormat,
): PortalMiddleware<RequestState & After<'answerHeaders'>, After<'envelope'>> {
  return {
    after(request) {
      request.response = toResult(format.success(request.response as Success));
    },
    onError(request) {
      request.response = toResult(format.error(request.error as ServiceError, request.event.state.language));
    },
  };
}

function toResult({ status, body }: Answer): APIGatewayProxyResult {
  return { statusCode: status, body: JSON.stringify(body) };
}

/** Converts every error but a ServiceError to an INTERNAL_ERROR, which hides its cause from the caller. */
export function unexpectedErrors(): PortalMiddleware<RequestState & After<'envelope'>, After<'unexpectedErrors'>> {
  return {
    onError(request) {
      const { error } = request;
      if (error instanceof ServiceError) return;
      request.error = new ServiceError('INTERNAL_ERROR', unexpected, { cause: error });
    },
  };
}
