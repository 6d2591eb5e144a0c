import type { ErrorCode, PropertyFault } from './portal-data.generated.ts';

/**
 * The code of an error. NETWORK_ERROR: there is no complete response. INVALID_RESPONSE: the response is not from this
 * service. A later version of the service can have codes that this client does not know.
 */
export type PortalErrorCode = ErrorCode | 'NETWORK_ERROR' | 'INVALID_RESPONSE' | (string & Record<never, never>);

/** The properties of a PortalError. */
export type PortalFailure = Pick<PortalError, 'code' | 'message' | 'status' | 'requestId'> &
  Partial<Pick<PortalError, 'details'>>;

/** The error of a failed call. It contains no credentials; `message` and `details` of a response are not changed. */
export class PortalError extends Error {
  override readonly name = 'PortalError';
  readonly code: PortalErrorCode;
  /** The HTTP status; null without a complete response. */
  readonly status: number | null;
  /** The id with which the operators find the request; null without a response of the service. */
  readonly requestId: string | null;
  /** Every invalid property for VALIDATION_ERROR; empty for other codes. */
  readonly details: readonly PropertyFault[];

  constructor({ code, message, status, requestId, details = [] }: PortalFailure) {
    super(message);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.details = details;
  }
}
