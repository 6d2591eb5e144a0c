import type { APIGatewayProxyResult } from 'aws-lambda';
import { expect } from 'vitest';
import { checkHeaders, expectDocumented } from '../answers/answer.ts';

/** An answer of the legacy route. */
export interface LegacyResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: LegacyBody;
}

/** The Resultado of an answer, and the data beside it. */
export interface LegacyBody {
  readonly Resultado: { readonly Exito: boolean; readonly Codigo: string; readonly Mensaje: string };
  // oxlint-disable-next-line typescript/no-explicit-any -- what stands beside Resultado is the operation's own
  readonly [field: string]: any;
}

// The codes that clients of the legacy protocol are told by the status too; a 404 is that of an unknown operation.
const STATUSES: Readonly<Record<string, readonly number[]>> = {
  NOT_FOUND: [200, 404],
  RATE_LIMITED: [429],
  INTERNAL_ERROR: [500],
  SERVICE_UNAVAILABLE: [503],
};

/**
 * Checks everything that holds for each answer of the legacy route: the OpenAPI document, Resultado first, status,
 * headers.
 */
export function checkLegacyResponse(result: APIGatewayProxyResult, requestId: string, path: string): LegacyResponse {
  const { statusCode, headers = {}, body: text } = result;
  const body = JSON.parse(text) as LegacyBody;
  expectDocumented('POST', path, result);
  expect(Object.keys(body)[0]).toBe('Resultado');
  expect(STATUSES[body.Resultado.Codigo] ?? [200]).toContain(statusCode);

  // No group applies to an unknown operation, and a blocked source is told only when to come back.
  const isBlocked = statusCode === 429 && !('X-RateLimit-Limit' in headers);
  return {
    status: statusCode,
    headers: checkHeaders(result, requestId, statusCode !== 404 && !isBlocked),
    body,
  };
}
