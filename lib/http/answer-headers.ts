import type { APIGatewayProxyResult } from 'aws-lambda';
import type { RequestState } from '../endpoints/endpoint.ts';
import { rateStatus } from '../rate-limit/rate-status.ts';
import type { After, PortalMiddleware, PortalRequest } from './chain.ts';

/** The headers of every answer, the gateway's own too: no cache, no guessed type, HTTPS only for a year, no page. */
export const ANSWER_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  // Not for subdomains: this service does not know whether they have HTTPS.
  'Strict-Transport-Security': 'max-age=31536000',
  // An answer is no page: what a browser shows of it loads nothing, and stands in no frame.
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/**
 * Gives every answer its headers: those above, the request id, and the rate headers. Until the request has been
 * counted these show an unused limit; null: the answer has none until a later middleware says so.
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
