import type { APIGatewayProxyResult } from 'aws-lambda';
import { rateStatus } from '../access/rate-status.ts';
import type { After, PortalMiddleware, PortalRequest } from './chain.ts';
import type { RequestState } from './request-state.ts';

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
