import type { APIGatewayProxyResult } from 'aws-lambda';
import { expect } from 'vitest';
import { checkHeaders, expectDocumented } from '../answers/answer.ts';

/** A response of the legacy route. */
export interface LegacyResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: LegacyBody;
}

/** The body of a legacy response: Resultado, and the data of the operation. */
export interface LegacyBody {
  readonly Resultado: { readonly Exito: boolean; readonly Codigo: string; readonly Mensaje: string };
  // oxlint-disable-next-line typescript/no-explicit-any -- the other fields depend on the operation
  readonly [field: string]: any;
}

// The codes for which the HTTP status can differ from 200. NOT_FOUND has 404 only for an unknown operation.
const STATUSES: Readonly<Record<string, readonly number[]>> = {
  NOT_FOUND: [200, 404],
  RATE_LIMITED: [429],
  INTERNAL_ERROR: [500],
  SERVICE_UNAVAILABLE: [503],
};

/**
 * Checks the requirements for every response of the legacy route: OpenAPI document, Resultado as the first field,
 * status and headers.
 */
export function checkLegacyResponse(result: APIGatewayProxyResult, requestId: string, path: string): LegacyResponse {
  const { statusCode, headers = {}, body: text } = result;
  const body = JSON.parse(text) as LegacyBody;
  expectDocumented('POST', path, result);
  expect(Object.keys(body)[0]).toBe('Resultado');
  expect(STATUSES[body.Resultado.Codigo] ?? [200]).toContain(statusCode);

  // Rate headers are missing for an unknown operation, which has no rate limit, and for a source that is locked out.
  const isLockedOut = statusCode === 429 && !('X-RateLimit-Limit' in headers);
  return {
    status: statusCode,
    headers: checkHeaders(result, requestId, statusCode !== 404 && !isLockedOut),
    body,
  };
}
