import type { APIGatewayProxyResult } from 'aws-lambda';
import { toErrorObject } from '../contracts/to-response.ts';
import { ERROR_CODES } from '../domain/error-codes.ts';
import { ServiceError } from '../domain/errors.ts';
import type { Language } from '../domain/language.ts';
import { unexpected } from '../domain/texts.ts';
import type { Success } from '../endpoints/endpoint.ts';
import type { After, PortalMiddleware } from './chain.ts';
import type { RequestState } from './request-state.ts';

/** A response without its headers. */
export interface Answer {
  readonly status: number;
  readonly body: object;
}

export interface AnswerFormat {
  readonly success: (success: Success) => Answer;
  readonly error: (error: ServiceError, language: Language) => Answer;
}

/** A middleware that writes responses, inside the one that adds their headers. */
export type AnswerMiddleware = PortalMiddleware<RequestState & After<'answerHeaders'>, After<'envelope'>>;

/** Writes successes and errors in the envelope of the current interface. */
export function envelope(): AnswerMiddleware {
  return answersIn({
    success: ({ data, meta }) => ({ status: 200, body: { success: true, data, meta: meta ?? {} } }),
    error: (error, language) => ({
      status: ERROR_CODES[error.code].status,
      body: { success: false, error: toErrorObject(error, language) },
    }),
  });
}

/** Writes successes and errors in a format. */
export function answersIn(format: AnswerFormat): AnswerMiddleware {
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
