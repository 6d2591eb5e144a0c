import type { ErrorCode } from '../../lib/domain/errors.ts';

/** An answer that the gateway gives by itself, before or instead of a function, to whatever operation. */
export interface GatewayAnswer {
  readonly status: number;
  readonly code: ErrorCode;
  /** Its type in the template. */
  readonly type: string;
  readonly summary: string;
}

/** What the gateway itself can answer to an operation; it always uses the envelope of the current interface. */
export const GATEWAY_ANSWERS: readonly GatewayAnswer[] = [
  {
    status: 400,
    code: 'VALIDATION_ERROR',
    type: 'BAD_REQUEST_PARAMETERS',
    summary: 'The gateway: no valid HTTP request',
  },
  {
    status: 400,
    code: 'VALIDATION_ERROR',
    type: 'REQUEST_TOO_LARGE',
    summary: 'The gateway: a body of more than 10 MB',
  },
  {
    status: 403,
    code: 'FORBIDDEN',
    type: 'WAF_FILTERED',
    summary: 'The gateway: refused by the web ACL, if there is one',
  },
  {
    status: 429,
    code: 'RATE_LIMITED',
    type: 'THROTTLED',
    summary: 'The gateway: too many requests of all users together',
  },
  { status: 500, code: 'INTERNAL_ERROR', type: 'INTEGRATION_FAILURE', summary: 'The gateway: the function failed' },
  { status: 500, code: 'INTERNAL_ERROR', type: 'INTEGRATION_TIMEOUT', summary: 'The gateway: no answer in time' },
];
