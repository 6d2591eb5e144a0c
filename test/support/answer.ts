import { Ajv } from 'ajv';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { expect } from 'vitest';
import type { Contract } from '../../lib/contracts/contract.ts';
import { errorEnvelope, successEnvelope } from '../../lib/contracts/openapi.ts';
import { STATUS_OF } from '../../lib/contracts/statuses.ts';
import type { ErrorCode, PropertyFault } from '../../lib/domain/errors.ts';

/** An answer of an endpoint that keeps to its contract; `body` is one of the two envelopes. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AnswerBody;
}

/** The envelope of an answer; what `data` holds is the endpoint's own. */
export interface AnswerBody {
  readonly success: boolean;
  // oxlint-disable-next-line typescript/no-explicit-any -- its schema has been checked, and the tests read it freely
  readonly data?: any;
  readonly meta?: { readonly total?: number; readonly limit?: number; readonly offset?: number };
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly details?: readonly PropertyFault[] };
}

const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

const ajv = new Ajv({ allErrors: true, strict: false });
const isError = ajv.compile(errorEnvelope);

/** Makes the check of everything that holds for each answer of an endpoint: schema of the data, envelope, status, headers. */
export function answerCheck(contract: Contract): (result: APIGatewayProxyResult, requestId: string) => Answer {
  const isSuccess = ajv.compile(successEnvelope(contract));
  return (result, requestId) => {
    const { statusCode, body: text } = result;
    const body = JSON.parse(text) as AnswerBody;
    const validate = statusCode === 200 ? isSuccess : isError;
    expect(validate(body), `${contract.name} answered ${text}\n${ajv.errorsText(validate.errors)}`).toBe(true);
    if (body.error) {
      expect(statusCode).toBe(STATUS_OF[body.error.code]);
      expect(body.error.details !== undefined, 'details belong to VALIDATION_ERROR').toBe(
        body.error.code === 'VALIDATION_ERROR',
      );
    }
    const carriesRate = contract.access !== null || statusCode !== 429;
    return { status: statusCode, headers: checkedHeaders(result, requestId, carriesRate), body };
  };
}

/** The headers of an answer, once it is certain that they are those that every answer carries. */
export function checkedHeaders(
  { statusCode, headers = {} }: APIGatewayProxyResult,
  requestId: string,
  carriesRate: boolean,
): Readonly<Record<string, string>> {
  expect(headers).toMatchObject({
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
  });
  for (const name of RATE_HEADERS) expect(name in headers, `${name} on ${statusCode}`).toBe(carriesRate);
  expect('Retry-After' in headers, `Retry-After on ${statusCode}`).toBe(statusCode === 429);
  return headers as Record<string, string>;
}
