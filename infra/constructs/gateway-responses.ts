import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';

interface GatewayError {
  readonly types: readonly ResponseType[];
  readonly status: number;
  readonly error: { readonly code: string; readonly message: string; readonly details?: readonly object[] };
  readonly headers?: Readonly<Record<string, string>>;
}

/** Every answer the gateway itself can give, with a status and a code of the interface. */
const gatewayErrors: readonly GatewayError[] = [
  {
    // What the gateway says to an unknown path or method depends on the Authorization header that came with it.
    types: [
      ResponseType.MISSING_AUTHENTICATION_TOKEN,
      ResponseType.INVALID_SIGNATURE,
      ResponseType.EXPIRED_TOKEN,
      ResponseType.RESOURCE_NOT_FOUND,
    ],
    status: 404,
    error: { code: 'NOT_FOUND', message: 'The requested URL was not found.' },
  },
  {
    types: [ResponseType.ACCESS_DENIED, ResponseType.WAF_FILTERED],
    status: 403,
    error: { code: 'FORBIDDEN', message: 'The request is not allowed.' },
  },
  {
    types: [ResponseType.REQUEST_TOO_LARGE],
    status: 400,
    error: validationError('body', 'maxBytes', 'The request body is too large.'),
  },
  {
    types: [ResponseType.THROTTLED, ResponseType.QUOTA_EXCEEDED],
    status: 429,
    error: { code: 'RATE_LIMITED', message: 'Too many requests. Retry later.' },
    headers: { 'Retry-After': "'1'" },
  },
  {
    types: [ResponseType.DEFAULT_4XX],
    status: 400,
    error: validationError('request', 'wellFormed', 'The request is malformed.'),
  },
  {
    types: [ResponseType.INTEGRATION_TIMEOUT],
    status: 500,
    error: { code: 'INTERNAL_ERROR', message: 'The service did not answer in time.' },
  },
  {
    types: [ResponseType.INTEGRATION_FAILURE, ResponseType.DEFAULT_5XX],
    status: 500,
    error: { code: 'INTERNAL_ERROR', message: 'An unexpected error occurred.' },
  },
];

/** Gives the answers of the gateway itself the envelope, the request id, and the headers of every other answer. */
export function addGatewayResponses(api: RestApi): void {
  for (const { types, status, error, headers } of gatewayErrors) {
    for (const type of types) {
      api.addGatewayResponse(type.responseType, {
        type,
        statusCode: String(status),
        responseHeaders: {
          'X-Request-Id': 'context.requestId',
          'Cache-Control': "'no-store'",
          'X-Content-Type-Options': "'nosniff'",
          'Strict-Transport-Security': "'max-age=31536000'",
          'Content-Security-Policy': "'default-src 'none'; frame-ancestors 'none''",
          ...headers,
        },
        templates: { 'application/json': JSON.stringify({ success: false, error }) },
      });
    }
  }
}

function validationError(property: string, constraint: string, message: string): GatewayError['error'] {
  return { code: 'VALIDATION_ERROR', message, details: [{ property, constraints: { [constraint]: message } }] };
}
