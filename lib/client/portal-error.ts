import type { ErrorCode, PropertyFault } from './portal-data.generated.ts';

// The code of an error of the system, such as ENOTFOUND.
const SYSTEM_CODE = /^[A-Z][A-Z0-9_]*$/;

/**
 * The code of an error. NETWORK_ERROR means that there is no complete response, and INVALID_RESPONSE that the response
 * is not from this service. A later version of the service can have codes that this client does not know.
 */
export type PortalErrorCode = ErrorCode | 'NETWORK_ERROR' | 'INVALID_RESPONSE' | (string & {});

/** The cause of a NETWORK_ERROR: an error of the platform. Its `code` is for example `ENOTFOUND`. */
export type PortalErrorCause = Error & { readonly code?: string };

/** The properties of a PortalError. */
export type PortalFailure = Pick<PortalError, 'code' | 'message' | 'status' | 'requestId'> & {
  readonly details?: PortalError['details'] | undefined;
  readonly cause?: PortalError['cause'];
};

/** The error of a failed call. It contains no credentials. */
export class PortalError extends Error {
  override readonly name = 'PortalError';
  readonly code: PortalErrorCode;
  /** The HTTP status, or null without a complete response. */
  readonly status: number | null;
  /** The id with which the operators find the request, or null without a response of the service. */
  readonly requestId: string | null;
  /** Every invalid property for VALIDATION_ERROR; empty for other codes. */
  readonly details: readonly PropertyFault[];
  /** The error of the platform that caused a NETWORK_ERROR; undefined for other codes. */
  declare readonly cause: PortalErrorCause | undefined;

  constructor({ code, message, status, requestId, details = [], cause }: PortalFailure) {
    super(message, cause && { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.details = details;
  }
}

/** Copies the name and the code of an error of `fetch`. Its message is not copied, because it can quote headers. */
export function toCause(error: unknown): PortalErrorCause {
  const { cause } = Object(error) as { readonly cause?: unknown };
  // Node puts the error of the system into `cause`.
  const { name, code } = Object(cause ?? error) as Readonly<Record<string, unknown>>;
  const copiedError: PortalErrorCause = new Error();
  if (typeof name === 'string') Object.assign(copiedError, { name, message: name });
  if (typeof code === 'string' && SYSTEM_CODE.test(code)) Object.assign(copiedError, { code, message: code });
  return copiedError;
}
