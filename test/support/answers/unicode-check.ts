import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../../../lib/domain/errors.ts';
import { requireUnicode } from '../../../lib/http/request-text.ts';

/** Returns the properties of an event that the service rejects because they are not well-formed Unicode. */
export function findMalformedProperties(event: Partial<APIGatewayProxyEvent>): readonly string[] {
  try {
    requireUnicode(event as APIGatewayProxyEvent);
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'VALIDATION_ERROR') throw error;
    return (error.details ?? []).map(({ property, constraints }) => {
      const expected = `${property} must be well-formed Unicode text`;
      if (constraints['unicode']?.en !== expected || Object.keys(constraints).length > 1) throw error;
      return property;
    });
  }
}

/** Builds an event whose body is in base64, as the gateway sends JSON. */
export function buildEventWithBody(body: string | Uint8Array): Partial<APIGatewayProxyEvent> {
  return { body: Buffer.from(body as string).toString('base64'), isBase64Encoded: true };
}
