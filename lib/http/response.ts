import type { APIGatewayProxyResult } from 'aws-lambda';
import { ServiceError } from '../domain/errors.ts';
import type { RequestState, Success } from './request-state.ts';
import { STATUS_OF } from '../contracts/statuses.ts';

/** The answer to a request that succeeded. */
export function successResponse({ data, meta }: Success, state: RequestState): APIGatewayProxyResult {
  return respond(200, { success: true, data, meta: meta ?? {} }, state);
}

/** The answer to a request that failed; whatever is not a ServiceError is an INTERNAL_ERROR that says nothing of its cause. */
export function errorResponse(error: ServiceError, state: RequestState): APIGatewayProxyResult {
  const { code, message, details } = error;
  return respond(STATUS_OF[code], { success: false, error: { code, message, ...(details && { details }) } }, state);
}

/** The error that the caller is told about. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError('INTERNAL_ERROR', 'An unexpected error occurred.', { cause: error });
}

function respond(statusCode: number, body: object, { requestId, rate, retryAfterSeconds }: RequestState) {
  return {
    statusCode,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
      ...(rate && {
        'X-RateLimit-Limit': rate.limit.toString(),
        'X-RateLimit-Remaining': rate.remaining.toString(),
        'X-RateLimit-Reset': rate.resetAt.toString(),
      }),
      ...(retryAfterSeconds !== undefined && { 'Retry-After': retryAfterSeconds.toString() }),
    },
    body: JSON.stringify(body),
  };
}
