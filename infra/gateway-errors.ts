import { ERROR_CODES, type ErrorCode } from '../lib/domain/errors.ts';
import type { Text } from '../lib/domain/language.ts';

/** An error of the gateway itself. */
interface GatewayError {
  readonly code: ErrorCode;
  /** The response types of API Gateway that return the error. */
  readonly types: readonly string[];
  readonly message: string;
  /** The constraint of a property that the request violates. */
  readonly violation?: { readonly property: string; readonly constraint: string };
  /** The cause of the error; null if a request to a documented operation cannot have it. */
  readonly cause: Text | null;
}

const GATEWAY_ERRORS: readonly GatewayError[] = [
  {
    code: 'NOT_FOUND',
    // The response type for an unknown path or method depends on the Authorization header of the request.
    types: ['MISSING_AUTHENTICATION_TOKEN', 'INVALID_SIGNATURE', 'EXPIRED_TOKEN', 'RESOURCE_NOT_FOUND'],
    message: 'The requested URL was not found.',
    cause: null,
  },
  {
    code: 'VALIDATION_ERROR',
    types: ['DEFAULT_4XX'],
    message: 'The request is malformed.',
    violation: { property: 'request', constraint: 'wellFormed' },
    cause: { en: 'The gateway: not a valid HTTP request', es: 'El gateway: no es una solicitud HTTP válida' },
  },
  {
    code: 'VALIDATION_ERROR',
    types: ['REQUEST_TOO_LARGE'],
    message: 'The request body is too large.',
    violation: { property: 'body', constraint: 'maxBytes' },
    cause: { en: 'The gateway: a body of more than 10 MB', es: 'El gateway: un cuerpo de más de 10 MB' },
  },
  {
    code: 'FORBIDDEN',
    types: ['ACCESS_DENIED', 'WAF_FILTERED'],
    message: 'The request is not allowed.',
    cause: {
      en: 'The gateway: rejected by the web ACL, if it is enabled',
      es: 'El gateway: rechazada por la web ACL, si está activada',
    },
  },
  {
    code: 'RATE_LIMITED',
    types: ['THROTTLED', 'QUOTA_EXCEEDED'],
    message: 'Too many requests. Retry later.',
    cause: {
      en: 'The gateway: too many requests from all users together',
      es: 'El gateway: demasiadas solicitudes de todos los usuarios en conjunto',
    },
  },
  {
    code: 'INTERNAL_ERROR',
    types: ['INTEGRATION_FAILURE', 'DEFAULT_5XX'],
    message: 'An unexpected error occurred.',
    cause: { en: 'The gateway: the function failed', es: 'El gateway: la función falló' },
  },
  {
    code: 'INTERNAL_ERROR',
    types: ['INTEGRATION_TIMEOUT'],
    message: 'The service did not answer in time.',
    cause: { en: 'The gateway: no response in time', es: 'El gateway: no hubo respuesta a tiempo' },
  },
];

/** The responses of the gateway itself, which have the envelope of the current interface. */
export const GATEWAY_RESPONSES = GATEWAY_ERRORS.map(({ code, types, message, violation, cause }) => {
  const details = violation && [{ property: violation.property, constraints: { [violation.constraint]: message } }];
  const body = { success: false, error: { code, message, details } };
  return { code, types, cause, status: ERROR_CODES[code].status, body };
});
