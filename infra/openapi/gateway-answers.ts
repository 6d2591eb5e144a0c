import { STATUS_OF } from '../../lib/contracts/statuses.ts';
import type { ErrorCode } from '../../lib/domain/errors.ts';

const ROWS: readonly (readonly [code: ErrorCode, type: string, what: string])[] = [
  ['VALIDATION_ERROR', 'BAD_REQUEST_PARAMETERS', 'no valid HTTP request'],
  ['VALIDATION_ERROR', 'REQUEST_TOO_LARGE', 'a body of more than 10 MB'],
  ['FORBIDDEN', 'WAF_FILTERED', 'refused by the web ACL, if there is one'],
  ['RATE_LIMITED', 'THROTTLED', 'too many requests of all users together'],
  ['INTERNAL_ERROR', 'INTEGRATION_FAILURE', 'the function failed'],
  ['INTERNAL_ERROR', 'INTEGRATION_TIMEOUT', 'no answer in time'],
];

/**
 * What the gateway answers by itself, before or instead of a function, to whatever operation: always in the envelope of
 * the current interface. `type` is that of the template.
 */
export const GATEWAY_ANSWERS = ROWS.map(([code, type, what]) => ({
  status: STATUS_OF[code],
  code,
  type,
  summary: `The gateway: ${what}`,
}));
