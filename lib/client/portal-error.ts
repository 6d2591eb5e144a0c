import type { ErrorCode, PropertyFault } from './portal-data.generated.ts';

/** Every way in which a call can fail: a code of the service, no answer at all, or one that is not of this service. */
export type PortalErrorCode = ErrorCode | 'NETWORK_ERROR' | 'INVALID_RESPONSE';

/** What is known of a failure; `status` is null when nothing was answered. */
export interface PortalFailure {
  readonly code: PortalErrorCode;
  readonly message: string;
  readonly status: number | null;
  readonly requestId: string | null;
  readonly details?: readonly PropertyFault[];
}

/** Why a call failed. The client puts no credentials into it; `message` and `details` of an answer are as they came. */
export class PortalError extends Error {
  override readonly name = 'PortalError';
  readonly code: PortalErrorCode;
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** By what the operators find the request; null when no answer of the service came. */
  readonly requestId: string | null;
  /** On VALIDATION_ERROR every invalid property, otherwise nothing. */
  readonly details: readonly PropertyFault[];

  constructor({ code, message, status, requestId, details = [] }: PortalFailure) {
    super(message);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.details = details;
  }
}
