import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { ANSWER_HEADERS } from '../../lib/http/answer-headers.ts';

/** A response for some types: a code of the interface, and the property and the constraint that a request violates. */
type GatewayError = readonly [status: number, code: string, message: string, fault?: readonly [string, string]];

const NOT_FOUND: GatewayError = [404, 'NOT_FOUND', 'The requested URL was not found.'];
const FORBIDDEN: GatewayError = [403, 'FORBIDDEN', 'The request is not allowed.'];
const RATE_LIMITED: GatewayError = [429, 'RATE_LIMITED', 'Too many requests. Retry later.'];
const FAILED: GatewayError = [500, 'INTERNAL_ERROR', 'An unexpected error occurred.'];

/** Every response of the gateway itself. */
const gatewayErrors: Readonly<Record<string, GatewayError>> = {
  // The response type for an unknown path or method depends on the Authorization header of the request.
  MISSING_AUTHENTICATION_TOKEN: NOT_FOUND,
  INVALID_SIGNATURE: NOT_FOUND,
  EXPIRED_TOKEN: NOT_FOUND,
  RESOURCE_NOT_FOUND: NOT_FOUND,
  ACCESS_DENIED: FORBIDDEN,
  WAF_FILTERED: FORBIDDEN,
  REQUEST_TOO_LARGE: [400, 'VALIDATION_ERROR', 'The request body is too large.', ['body', 'maxBytes']],
  THROTTLED: RATE_LIMITED,
  QUOTA_EXCEEDED: RATE_LIMITED,
  DEFAULT_4XX: [400, 'VALIDATION_ERROR', 'The request is malformed.', ['request', 'wellFormed']],
  INTEGRATION_TIMEOUT: [500, 'INTERNAL_ERROR', 'The service did not answer in time.'],
  INTEGRATION_FAILURE: FAILED,
  DEFAULT_5XX: FAILED,
};

// The gateway takes a fixed value in single quotes.
const fixedHeaders = Object.fromEntries(Object.entries(ANSWER_HEADERS).map(([name, value]) => [name, `'${value}'`]));

/** Adds the envelope, the request id and the headers of all other responses to those of the gateway itself. */
export function addGatewayResponses(api: RestApi): void {
  for (const [type, [status, code, message, fault]] of Object.entries(gatewayErrors)) {
    const details = fault && [{ property: fault[0], constraints: { [fault[1]]: message } }];
    api.addGatewayResponse(type, {
      type: ResponseType.of(type),
      statusCode: String(status),
      responseHeaders: {
        'X-Request-Id': 'context.requestId',
        ...fixedHeaders,
        ...(status === 429 && { 'Retry-After': "'1'" }),
      },
      templates: { 'application/json': JSON.stringify({ success: false, error: { code, message, details } }) },
    });
  }
}
