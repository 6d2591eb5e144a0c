import type { APIGatewayProxyResult } from 'aws-lambda';
import { STATUS_OF } from '../contracts/statuses.ts';
import { toErrorObject } from '../contracts/wire.ts';
import { ServiceError } from '../domain/errors.ts';
import type { Language } from '../domain/language.ts';
import { unexpected } from '../domain/texts.ts';
import type { RequestState, Success } from '../endpoints/endpoint.ts';
import type { After, PortalMiddleware } from './chain.ts';

/** An answer without its headers. */
export interface Answer {
  readonly status: number;
  readonly body: object;
}

/** How a surface of the service writes its answers. */
export interface AnswerFormat {
  readonly success: (success: Success) => Answer;
  readonly error: (error: ServiceError, language: Language) => Answer;
}

/** What writes answers, within what gives them their headers. */
export type AnswerMiddleware = PortalMiddleware<RequestState & After<'answerHeaders'>, After<'envelope'>>;

/** Writes successes and errors in the envelope of the current interface. */
export function envelope(): AnswerMiddleware {
  return answersIn({
    success: ({ data, meta }) => ({ status: 200, body: { success: true, data, meta: meta ?? {} } }),
    error: (error, language) => ({
      status: STATUS_OF[error.code],
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

/** Makes an INTERNAL_ERROR, which hides its cause from the caller, of every error but a ServiceError. */
export function unexpectedErrors(): PortalMiddleware<RequestState & After<'envelope'>, After<'unexpectedErrors'>> {
  return {
    onError(request) {
      const { error } = request;
      if (error instanceof ServiceError) return;
      request.error = new ServiceError('INTERNAL_ERROR', unexpected, { cause: error });
    },
  };
}
