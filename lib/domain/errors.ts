/** Every machine-readable error code of the interface. */
export type ErrorCode =
  | 'VALIDATION_ERROR'
  | 'INVALID_DATE_RANGE'
  | 'UNAUTHORIZED'
  | 'TOKEN_EXPIRED'
  | 'FORBIDDEN'
  | 'COMPANY_SUSPENDED'
  | 'NOT_FOUND'
  | 'RATE_LIMITED'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE';

/** One invalid property, with a message for each constraint that it breaks. */
export interface PropertyFault {
  readonly property: string;
  readonly constraints: Readonly<Record<string, string>>;
}

/** Which of several causes of the same code it is, where somebody needs to know. */
export type ErrorReason =
  | 'inactive-user'
  | 'no-supplier'
  | 'missing-permission'
  | 'malformed-authorization'
  | 'unknown-operation'
  | 'blocked-source'
  | 'spent-account'
  | 'not-written'
  | 'unknown-outcome';

/**
 * An error that the caller is told of: code and message reach the client as they are; `cause` reaches the log only.
 *
 * How lib tells what happened: an error that the caller is told of is thrown as a ServiceError. An outcome that the
 * next step branches on is returned as a union, whose cases are told apart by `kind`. A look-up that finds nothing
 * returns null, and a question (`isDeclarable`, `verifyPassword`) returns a boolean.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly details: readonly PropertyFault[] | undefined;
  readonly reason: ErrorReason | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: readonly PropertyFault[]; reason?: ErrorReason | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.reason = options.reason;
  }
}

/** A write that changed nothing: it was refused for what it holds, or not begun in time. `cause` says why. */
export class NothingWritten extends Error {
  override readonly name = 'NothingWritten';

  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/** A VALIDATION_ERROR that names every invalid property. */
export function validationError(details: readonly PropertyFault[]): ServiceError {
  const properties = details.map(({ property }) => property).join(', ');
  return new ServiceError('VALIDATION_ERROR', `Invalid request: ${properties}.`, { details });
}

/** The one answer for an invoice that is absent or another supplier's, so that neither can be told from the other. */
export function invoiceNotFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'The invoice was not found.');
}

/** Waits for what a caller is verified with; when it cannot be read, the error is SERVICE_UNAVAILABLE. */
export async function whileVerifying<Value>(read: Promise<Value>): Promise<Value> {
  try {
    return await read;
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError('SERVICE_UNAVAILABLE', 'The user could not be verified at this moment.', { cause });
  }
}
