import { STATUS_OF } from '../../lib/contracts/statuses.ts';
import type { ErrorCode } from '../../lib/domain/errors.ts';

/** An answer that the gateway gives by itself, before or instead of a function, to whatever operation. */
export interface GatewayAnswer {
  readonly status: number;
  readonly code: ErrorCode;
  /** Its type in the template. */
  readonly type: string;
  readonly summary: string;
}

const ROWS: readonly (readonly [code: ErrorCode, type: string, what: string])[] = [
  ['VALIDATION_ERROR', 'BAD_REQUEST_PARAMETERS', 'no valid HTTP request'],
  ['VALIDATION_ERROR', 'REQUEST_TOO_LARGE', 'a body of more than 10 MB'],
  ['FORBIDDEN', 'WAF_FILTERED', 'refused by the web ACL, if there is one'],
  ['RATE_LIMITED', 'THROTTLED', 'too many requests of all users together'],
  ['INTERNAL_ERROR', 'INTEGRATION_FAILURE', 'the function failed'],
  ['INTERNAL_ERROR', 'INTEGRATION_TIMEOUT', 'no answer in time'],
];

/** What the gateway itself can answer to an operation; it always uses the envelope of the current interface. */
export const GATEWAY_ANSWERS: readonly GatewayAnswer[] = ROWS.map(([code, type, what]) => ({
  status: STATUS_OF[code],
  code,
  type,
  summary: `The gateway: ${what}`,
}));
