import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../../../lib/domain/errors.ts';
import { requireUnicode } from '../../../lib/http/request-text.ts';

/** The properties of an event that the check of its text names; none when all of it is well-formed. */
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

/** An event with a body as the gateway hands on JSON. */
export function buildEventWithBody(body: string | Uint8Array): Partial<APIGatewayProxyEvent> {
  return { body: Buffer.from(body as string).toString('base64'), isBase64Encoded: true };
}
