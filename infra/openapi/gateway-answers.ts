import { ERROR_CODES, type ErrorCode } from '../../lib/domain/error-codes.ts';
import type { Text } from '../../lib/domain/language.ts';

const ROWS: readonly (readonly [code: ErrorCode, type: string, cause: Text])[] = [
  [
    'VALIDATION_ERROR',
    'BAD_REQUEST_PARAMETERS',
    { en: 'no valid HTTP request', es: 'no es una solicitud HTTP válida' },
  ],
  ['VALIDATION_ERROR', 'REQUEST_TOO_LARGE', { en: 'a body of more than 10 MB', es: 'un cuerpo de más de 10 MB' }],
  [
    'FORBIDDEN',
    'WAF_FILTERED',
    { en: 'rejected by the web ACL, if there is one', es: 'rechazada por la web ACL, si la hay' },
  ],
  [
    'RATE_LIMITED',
    'THROTTLED',
    { en: 'too many requests of all users together', es: 'demasiadas solicitudes de todos los usuarios en conjunto' },
  ],
  ['INTERNAL_ERROR', 'INTEGRATION_FAILURE', { en: 'the function failed', es: 'la función falló' }],
  ['INTERNAL_ERROR', 'INTEGRATION_TIMEOUT', { en: 'no answer in time', es: 'no hubo respuesta a tiempo' }],
];

/**
 * The responses of the gateway itself to any operation, which have the envelope of the current interface. `type` is the
 * response type in the template.
 */
export const GATEWAY_ANSWERS = ROWS.map(([code, type, cause]) => ({
  status: ERROR_CODES[code].status,
  code,
  type,
  en: `The gateway: ${cause.en}`,
  es: `El gateway: ${cause.es}`,
}));
