import type { APIGatewayProxyResult } from 'aws-lambda';
import { STATUS_OF } from '../contracts/statuses.ts';
import { ServiceError } from '../domain/errors.ts';
import { ANSWER_HEADERS } from './answer-headers.ts';
import type { RequestState, Success } from './request-state.ts';

/** An answer before it has its headers. */
export interface Answer {
  readonly status: number;
  readonly body: object;
}

/** How a surface of the service writes its answers. */
export interface AnswerFormat {
  readonly success: (success: Success) => Answer;
  readonly error: (error: ServiceError) => Answer;
}

/** The envelope of the current interface. */
export const envelopeFormat: AnswerFormat = {
  success: ({ data, meta }) => ({ status: 200, body: { success: true, data, meta: meta ?? {} } }),
  error: ({ code, message, details }) => ({
    status: STATUS_OF[code],
    body: { success: false, error: { code, message, ...(details && { details }) } },
  }),
};

/** The error that the caller is told of; any but a ServiceError becomes an INTERNAL_ERROR that hides its cause. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError('INTERNAL_ERROR', 'An unexpected error occurred.', { cause: error });
}

/** The response with the headers that every answer has. */
export function respond(
  { status, body }: Answer,
  { requestId, rate, retryAfterSeconds }: RequestState,
): APIGatewayProxyResult {
  return {
    statusCode: status,
    headers: {
      'Content-Type': 'application/json',
      ...ANSWER_HEADERS,
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
