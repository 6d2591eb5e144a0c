import { ERROR_CODES, type ErrorCode } from '../../../lib/domain/errors.ts';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { expect } from 'vitest';
import type { Contract } from '../../../lib/contracts/contract.ts';
import { findContractErrors } from './contract-faults.ts';

/** A response that has passed the check of its contract. `body` is the envelope of a success or of an error. */
export interface EndpointResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ResponseBody;
}

/** An invalid property in an error response, with a message for each violated constraint. */
type PropertyTexts = { readonly property: string; readonly constraints: Readonly<Record<string, string>> };

/** The JSON envelope of a response. The type of `data` depends on the endpoint. */
export interface ResponseBody {
  readonly success: boolean;
  // oxlint-disable-next-line typescript/no-explicit-any -- another check compares the response with its schema
  readonly data?: any;
  readonly meta?: { readonly total?: number; readonly limit?: number; readonly offset?: number };
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly details?: readonly PropertyTexts[] };
}

/** Creates a check of the requirements for every response of an endpoint: the OpenAPI document, and the request id. */
export function createResponseCheck({ method, path }: Contract) {
  return (result: APIGatewayProxyResult, requestId: string): EndpointResponse => {
    const body = JSON.parse(result.body) as ResponseBody;
    if (body.error) expect(result.statusCode).toBe(ERROR_CODES[body.error.code].status);
    return { status: result.statusCode, headers: checkDocumented(method, path, result, requestId), body };
  };
}

/** Fails if a response does not match the OpenAPI document or has another request id. Returns its headers. */
function checkDocumented(
  method: string,
  path: string,
  { statusCode: status, headers = {}, body }: APIGatewayProxyResult,
  requestId: string,
): Readonly<Record<string, string>> {
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  expect(findContractErrors({ method, path, status, headers: Object.fromEntries(lowerCase), body })).toEqual([]);
  expect(headers['X-Request-Id']).toBe(requestId);
  return headers as Record<string, string>;
}

/** Expects 400 VALIDATION_ERROR with exactly one error detail: this constraint of this property. */
export function expectConstraintError({ status, body }: EndpointResponse, property: string, constraint: string): void {
  expect(status).toBe(400);
  expect(body.error?.code).toBe('VALIDATION_ERROR');
  expect(body.error?.details).toEqual([{ property, constraints: { [constraint]: expect.stringContaining(property) } }]);
}

/** A response of the legacy route. */
export interface LegacyResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly Resultado: { readonly Exito: boolean; readonly Codigo: string; readonly Mensaje: string };
    // oxlint-disable-next-line typescript/no-explicit-any -- the other fields depend on the operation
    readonly [field: string]: any;
  };
}

// The codes for which the HTTP status can differ from 200. NOT_FOUND has 404 only for an unknown operation.
const STATUSES: Readonly<Record<string, readonly number[]>> = {
  NOT_FOUND: [200, 404],
  RATE_LIMITED: [429],
  INTERNAL_ERROR: [500],
  SERVICE_UNAVAILABLE: [503],
};

/**
 * Checks the requirements for every response of the legacy route: OpenAPI document, request id, status, and Resultado as
 * the first field.
 */
export function checkLegacyResponse(result: APIGatewayProxyResult, requestId: string, path: string): LegacyResponse {
  const { statusCode, body: text } = result;
  const body = JSON.parse(text) as LegacyResponse['body'];
  const checkedHeaders = checkDocumented('POST', path, result, requestId);
  expect(Object.keys(body)[0]).toBe('Resultado');
  expect(STATUSES[body.Resultado.Codigo] ?? [200]).toContain(statusCode);
  return { status: statusCode, headers: checkedHeaders, body };
}
