/** The exit codes of the process; `interrupted` is also that of a command that was not confirmed. */
export const EXIT = { done: 0, rejected: 1, wrongUse: 2, failed: 3, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An error with a complete message and the exit code of its command. */
export abstract class DescribedError extends Error {
  abstract readonly exitCode: ExitCode;
}

/** The error of a command that cannot be run: wrong usage, an unusable file, or a missing entry. */
export class OperatorError extends DescribedError {
  override readonly name = 'OperatorError';
  readonly exitCode = EXIT.wrongUse;
}

export class OutputError extends DescribedError {
  override readonly name = 'OutputError';
  readonly exitCode = EXIT.failed;
}

export class NotConfirmedError extends DescribedError {
  override readonly name = 'NotConfirmedError';
  readonly exitCode = EXIT.interrupted;
}

export function describeSystemError(error: unknown): string {
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return 'EPIPE: the reader has closed the pipe';
  return error instanceof Error ? error.message : String(error);
}

const CHECK_NETWORK = 'Check the network connection and the address, then run the command again.';
const CHECK_CREDENTIALS = 'Check the AWS credentials and their permissions.';

/** The advice for a failure of the environment, by the code or the name of its error. */
const ADVICE: Readonly<Record<string, string>> = {
  ECONNREFUSED: CHECK_NETWORK,
  ECONNRESET: CHECK_NETWORK,
  ENOTFOUND: CHECK_NETWORK,
  ETIMEDOUT: CHECK_NETWORK,
  TimeoutError: CHECK_NETWORK,
  ResourceNotFoundException: 'A table is missing: check the target (--local or --stack).',
  AccessDeniedException: CHECK_CREDENTIALS,
  CredentialsProviderError: CHECK_CREDENTIALS,
  ExpiredTokenException: CHECK_CREDENTIALS,
  UnrecognizedClientException: CHECK_CREDENTIALS,
};

/** Describes the error of a command in one line (an OperatorError can have several). */
export function describeFailure(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  if (error instanceof DescribedError) return error.message.split('\n');
  const { code = error.name } = error as NodeJS.ErrnoException;
  // The message of an AggregateError, such as that of a refused connection, is empty.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const message = cause instanceof Error ? cause.message : '';
  const sentences = [message, ADVICE[code] ?? ADVICE[error.name]].filter(Boolean);
  return [`${error.name}: ${sentences.join('. ')}`];
}
