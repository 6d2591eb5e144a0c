import type { APIGatewayProxyResult } from 'aws-lambda';
import { STATUS_OF } from '../contracts/statuses.ts';
import { type PropertyFault, ServiceError } from '../domain/errors.ts';
import type { Language } from '../domain/language.ts';
import { unexpected } from '../domain/texts.ts';
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
  readonly error: (error: ServiceError, language: Language) => Answer;
}

/** The envelope of the current interface. */
export const envelopeFormat: AnswerFormat = {
  success: ({ data, meta }) => ({ status: 200, body: { success: true, data, meta: meta ?? {} } }),
  error: ({ code, text, details }, language) => ({
    status: STATUS_OF[code],
    body: {
      success: false,
      error: { code, message: text[language], ...(details && { details: details.map(inLanguage(language)) }) },
    },
  }),
};

function inLanguage(language: Language) {
  return ({ property, constraints }: PropertyFault) => ({
    property,
    constraints: Object.fromEntries(Object.entries(constraints).map(([name, text]) => [name, text[language]])),
  });
}

/** The error that the caller is told of; any but a ServiceError becomes an INTERNAL_ERROR that hides its cause. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError('INTERNAL_ERROR', unexpected, { cause: error });
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
