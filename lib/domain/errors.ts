import type { Text } from './language.ts';
import * as texts from './texts.ts';

interface ErrorCodeRow {
  readonly status: number;
  /** True if the same request can succeed later. The legacy route returns 200 for the other errors. */
  readonly isRetryable: boolean;
  /** The endpoints that return the code. `contract`: the endpoints whose contract lists the code in `errors`. */
  readonly scope: 'all' | 'supplier' | 'token' | 'contract';
  readonly metric: 'ClientErrors' | 'RateLimited' | 'InternalErrors' | 'ServiceUnavailable';
}

const CLIENT_ERROR = { isRetryable: false, metric: 'ClientErrors' } as const;

/** Every error code of the interface. The text of an error is chosen where the error is thrown. */
export const ERROR_CODES = {
  VALIDATION_ERROR: { status: 400, scope: 'all', ...CLIENT_ERROR },
  INVALID_DATE_RANGE: { status: 400, scope: 'contract', ...CLIENT_ERROR },
  UNAUTHORIZED: { status: 401, scope: 'all', ...CLIENT_ERROR },
  TOKEN_EXPIRED: { status: 401, scope: 'token', ...CLIENT_ERROR },
  FORBIDDEN: { status: 403, scope: 'supplier', ...CLIENT_ERROR },
  COMPANY_SUSPENDED: { status: 403, scope: 'all', ...CLIENT_ERROR },
  NOT_FOUND: { status: 404, scope: 'contract', ...CLIENT_ERROR },
  RATE_LIMITED: { status: 429, isRetryable: true, scope: 'all', metric: 'RateLimited' },
  INTERNAL_ERROR: { status: 500, isRetryable: true, scope: 'all', metric: 'InternalErrors' },
  SERVICE_UNAVAILABLE: { status: 503, isRetryable: true, scope: 'all', metric: 'ServiceUnavailable' },
} as const satisfies Readonly<Record<string, ErrorCodeRow>>;

export type ErrorCode = keyof typeof ERROR_CODES;

export const ALL_ERROR_CODES = Object.keys(ERROR_CODES) as readonly ErrorCode[];

export function selectErrorCodes(...scopes: ErrorCodeRow['scope'][]): readonly ErrorCode[] {
  return ALL_ERROR_CODES.filter((code) => scopes.includes(ERROR_CODES[code].scope));
}

/** An invalid property, with a text for each violated constraint, by the name of the constraint. */
export interface PropertyFault {
  readonly property: string;
  readonly constraints: Readonly<Record<string, Text>>;
}

/** The reason of an error, if the service or its log must distinguish errors with the same code. */
export type ErrorReason =
  | 'inactive-user'
  | 'no-supplier'
  | 'missing-permission'
  | 'wrong-credentials'
  | 'malformed-authorization'
  | 'unknown-operation'
  | 'blocked-source'
  | 'account-locked'
  | 'account-locked-for-source'
  | 'not-written'
  | 'unknown-outcome';

/**
 * An error of the interface. The response contains the code, and the text in the language of the request. The log
 * contains `cause` and `message`, which is the English text.
 *
 * Conventions of lib: A function throws a ServiceError if the client must receive the error. A function returns a union
 * with the discriminant `kind` if its caller branches on the result. A look-up that finds nothing returns null.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly text: Text;
  readonly details: readonly PropertyFault[] | undefined;
  readonly reason: ErrorReason | undefined;

  constructor(
    code: ErrorCode,
    text: Text,
    options: { details?: readonly PropertyFault[]; reason?: ErrorReason | undefined; cause?: unknown } = {},
  ) {
    super(text.en, { cause: options.cause });
    this.code = code;
    this.text = text;
    this.details = options.details;
    this.reason = options.reason;
  }
}

export function createValidationError(details: readonly PropertyFault[]): ServiceError {
  const properties = details.map(({ property }) => property).join(', ');
  return new ServiceError('VALIDATION_ERROR', texts.invalidRequest(properties), { details });
}

/** Creates the same error for an invoice that does not exist and for an invoice of another supplier. */
export function createInvoiceNotFoundError(): ServiceError {
  return new ServiceError('NOT_FOUND', texts.invoiceNotFound);
}

/** Awaits a read that is needed to verify the caller. Throws SERVICE_UNAVAILABLE if the read fails. */
export async function orServiceUnavailable<Value>(read: Promise<Value>): Promise<Value> {
  try {
    return await read;
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError('SERVICE_UNAVAILABLE', texts.userNotVerified, { cause });
  }
}
