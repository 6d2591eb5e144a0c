import type { Text } from './language.ts';
import * as texts from './texts.ts';

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
  readonly constraints: Readonly<Record<string, Text>>;
}

/** Which of several causes of the same code it is, where somebody needs to know. */
export type ErrorReason =
  | 'inactive-user'
  | 'no-supplier'
  | 'missing-permission'
  | 'malformed-authorization'
  | 'unknown-operation'
  | 'blocked-source'
  | 'account-locked'
  | 'not-written'
  | 'unknown-outcome';

/**
 * An error that the caller is told of: code and text reach the client, the text in the language that it prefers;
 * `cause` and `message`, the text in English, reach the log.
 *
 * How lib tells what happened: an error that the caller is told of is thrown as a ServiceError. An outcome that the
 * next step branches on is returned as a union, whose cases are told apart by `kind`. A look-up that finds nothing
 * returns null, and a question (`isDeclarable`, `verifyPassword`) returns a boolean.
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
  return new ServiceError('VALIDATION_ERROR', texts.invalidRequest(properties), { details });
}

/** The one answer for an invoice that is absent or another supplier's, so that neither can be told from the other. */
export function invoiceNotFound(): ServiceError {
  return new ServiceError('NOT_FOUND', texts.invoiceNotFound);
}

/** Waits for what a caller is verified with; when it cannot be read, the error is SERVICE_UNAVAILABLE. */
export async function whileVerifying<Value>(read: Promise<Value>): Promise<Value> {
  try {
    return await read;
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError('SERVICE_UNAVAILABLE', texts.userNotVerified, { cause });
  }
}
