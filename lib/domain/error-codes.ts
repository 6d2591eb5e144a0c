interface ErrorCodeRow {
  readonly status: number;
  /** True if the same request can succeed later without a change. Legacy clients get such an error with its status. */
  readonly isRetryable: boolean;
  /** Operations that return the code: all, those of a supplier, those with a token, or those whose contract names it. */
  readonly scope: 'all' | 'supplier' | 'token' | 'contract';
  /** The CloudWatch metric that counts it. */
  readonly metric: 'ClientErrors' | 'RateLimited' | 'InternalErrors' | 'ServiceUnavailable';
}

const clientError = { isRetryable: false, metric: 'ClientErrors' } as const;

/** Every error code of the interface. Its text is where the error is thrown; its legacy text is in `lib/legacy`. */
export const ERROR_CODES = {
  VALIDATION_ERROR: { status: 400, scope: 'all', ...clientError },
  INVALID_DATE_RANGE: { status: 400, scope: 'contract', ...clientError },
  UNAUTHORIZED: { status: 401, scope: 'all', ...clientError },
  TOKEN_EXPIRED: { status: 401, scope: 'token', ...clientError },
  FORBIDDEN: { status: 403, scope: 'supplier', ...clientError },
  COMPANY_SUSPENDED: { status: 403, scope: 'all', ...clientError },
  NOT_FOUND: { status: 404, scope: 'contract', ...clientError },
  RATE_LIMITED: { status: 429, isRetryable: true, scope: 'all', metric: 'RateLimited' },
  INTERNAL_ERROR: { status: 500, isRetryable: true, scope: 'all', metric: 'InternalErrors' },
  SERVICE_UNAVAILABLE: { status: 503, isRetryable: true, scope: 'all', metric: 'ServiceUnavailable' },
} as const satisfies Readonly<Record<string, ErrorCodeRow>>;

/** A machine-readable error code of the interface. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The error codes in the order of their statuses. */
export const ALL_ERROR_CODES = Object.keys(ERROR_CODES) as readonly ErrorCode[];

export function codesIn(...scopes: ErrorCodeRow['scope'][]): readonly ErrorCode[] {
  return ALL_ERROR_CODES.filter((code) => scopes.includes(ERROR_CODES[code].scope));
}
