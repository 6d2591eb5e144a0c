import { ERROR_CODES, type ErrorCode } from '../lib/domain/errors.ts';

/** An error that API Gateway itself returns, without a call of a function. */
interface GatewayError {
  readonly code: ErrorCode;
  /** The response types of API Gateway that return the error. */
  readonly types: readonly string[];
  readonly message: string;
  /** The violated constraint, which becomes the `details` of a VALIDATION_ERROR. Its message is that of the error. */
  readonly violation?: { readonly property: string; readonly constraint: string };
}

const UNKNOWN_PATH_ERROR: GatewayError = {
  code: 'NOT_FOUND',
  // The response type for an unknown path or method depends on the Authorization header of the request.
  types: ['MISSING_AUTHENTICATION_TOKEN', 'INVALID_SIGNATURE', 'EXPIRED_TOKEN', 'RESOURCE_NOT_FOUND'],
  message: 'The requested URL was not found.',
};

const OPERATION_ERRORS: readonly GatewayError[] = [
  {
    code: 'VALIDATION_ERROR',
    types: ['DEFAULT_4XX'],
    message: 'The request is malformed.',
    violation: { property: 'request', constraint: 'wellFormed' },
  },
  {
    code: 'VALIDATION_ERROR',
    types: ['REQUEST_TOO_LARGE'],
    message: 'The request body is too large.',
    violation: { property: 'body', constraint: 'maxBytes' },
  },
  { code: 'FORBIDDEN', types: ['WAF_FILTERED', 'ACCESS_DENIED'], message: 'The request is not allowed.' },
  { code: 'RATE_LIMITED', types: ['THROTTLED', 'QUOTA_EXCEEDED'], message: 'Too many requests. Retry later.' },
  { code: 'INTERNAL_ERROR', types: ['INTEGRATION_TIMEOUT'], message: 'The service did not answer in time.' },
  {
    code: 'INTERNAL_ERROR',
    types: ['INTEGRATION_FAILURE', 'DEFAULT_5XX'],
    message: 'An unexpected error occurred.',
  },
];

/** The responses of the gateway itself that the OpenAPI document contains for each operation. */
export const OPERATION_GATEWAY_RESPONSES = OPERATION_ERRORS.map(toResponse);

/** All responses of the gateway itself. */
export const GATEWAY_RESPONSES = [toResponse(UNKNOWN_PATH_ERROR), ...OPERATION_GATEWAY_RESPONSES];

/** Converts an error to its response, which has the envelope of the current interface. */
function toResponse({ code, types, message, violation }: GatewayError) {
  const { status } = ERROR_CODES[code];
  const details = violation && [{ property: violation.property, constraints: { [violation.constraint]: message } }];
  return { code, types, status, body: { success: false, error: { code, message, details } } };
}
