import { ERROR_CODES, type ErrorCode } from '../../../lib/domain/errors.ts';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { expect } from 'vitest';
import type { Contract } from '../../../lib/contracts/contract.ts';
import { findContractErrors } from './contract-faults.ts';

/** An answer of an endpoint that keeps to its contract; `body` is one of the two envelopes. */
export interface EndpointResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ResponseBody;
}

/** An invalid property as an answer names it: a message for each constraint. */
type PropertyTexts = { readonly property: string; readonly constraints: Readonly<Record<string, string>> };

/** The envelope of an answer; what `data` holds is the endpoint's own. */
export interface ResponseBody {
  readonly success: boolean;
  // oxlint-disable-next-line typescript/no-explicit-any -- another check compares the response with its schema
  readonly data?: any;
  readonly meta?: { readonly total?: number; readonly limit?: number; readonly offset?: number };
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly details?: readonly PropertyTexts[] };
}

const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/**
 * Makes the check of everything that holds for each answer of an endpoint: the OpenAPI document, status and headers.
 */
export function createResponseCheck(contract: Contract) {
  return (result: APIGatewayProxyResult, requestId: string): EndpointResponse => {
    const body = JSON.parse(result.body) as ResponseBody;
    if (body.error) expect(result.statusCode).toBe(ERROR_CODES[body.error.code].status);
    const hasRateHeaders = contract.access !== null || result.statusCode !== 429;
    const headers = checkHeaders(result, requestId, hasRateHeaders);
    expectDocumented(contract.method, contract.path, result);
    return { status: result.statusCode, headers, body };
  };
}

/** Fails unless the OpenAPI document allows the answer. */
export function expectDocumented(
  method: string,
  path: string,
  { statusCode: status, headers = {}, body }: APIGatewayProxyResult,
): void {
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  expect(findContractErrors({ method, path, status, headers: Object.fromEntries(lowerCase), body })).toEqual([]);
}

/** The headers of an answer, once it is certain that they are those that every answer carries. */
export function checkHeaders(
  { statusCode, headers = {} }: APIGatewayProxyResult,
  requestId: string,
  hasRateHeaders: boolean,
): Readonly<Record<string, string>> {
  expect(headers).toMatchObject({
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
  });
  for (const name of RATE_HEADERS) expect(name in headers, `${name} on ${statusCode}`).toBe(hasRateHeaders);
  expect('Retry-After' in headers, `Retry-After on ${statusCode}`).toBe(statusCode === 429);
  return headers as Record<string, string>;
}

/** Expects 400 VALIDATION_ERROR whose details name this property and this constraint, and nothing else. */
export function expectConstraintError({ status, body }: EndpointResponse, property: string, constraint: string): void {
  expect(status).toBe(400);
  expect(body.error?.code).toBe('VALIDATION_ERROR');
  expect(body.error?.details).toEqual([{ property, constraints: { [constraint]: expect.stringContaining(property) } }]);
}
