/** The exit codes of the command line. A command that is interrupted or not confirmed ends with 130. */
export const EXIT = { done: 0, rejected: 1, wrongUse: 2, failed: 3, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An error whose message needs no addition, with the exit code of its command. */
export abstract class DescribedError extends Error {
  abstract readonly exitCode: ExitCode;
}

/** The error of a command that cannot be run because of invalid usage, an unusable file, or a missing record. */
export class OperatorError extends DescribedError {
  readonly exitCode = EXIT.wrongUse;
}

export class OutputError extends DescribedError {
  readonly exitCode = EXIT.failed;
}

export class NotConfirmedError extends DescribedError {
  readonly exitCode = EXIT.interrupted;
}

export function getExitCode(error: unknown): ExitCode {
  return error instanceof DescribedError ? error.exitCode : EXIT.failed;
}

export function describeSystemError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'EPIPE' ? 'EPIPE: the reader has closed the pipe' : message;
}

const CHECK_NETWORK = 'Check the network connection and the address, then run the command again.';
const WAIT = 'Wait a minute, then run the command again.';
const CHECK_CREDENTIALS = 'Check the AWS credentials and their permissions.';

/** The advice that follows the message of a failure, by the code or the name of its error. */
const ADVICE: Readonly<Record<string, string>> = {
  ECONNREFUSED: CHECK_NETWORK,
  ECONNRESET: CHECK_NETWORK,
  ENOTFOUND: CHECK_NETWORK,
  ETIMEDOUT: CHECK_NETWORK,
  TimeoutError: CHECK_NETWORK,
  ProvisionedThroughputExceededException: WAIT,
  ThrottlingException: WAIT,
  ResourceNotFoundException: 'A table is missing: check the target (--local or --stack) or --from-table.',
  AccessDeniedException: CHECK_CREDENTIALS,
  CredentialsProviderError: CHECK_CREDENTIALS,
  ExpiredTokenException: CHECK_CREDENTIALS,
  UnrecognizedClientException: CHECK_CREDENTIALS,
};

/** Describes the error of a command in one line, or in several lines if it is a DescribedError. */
export function describeFailure(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  if (error instanceof DescribedError) return error.message.split('\n');
  // The message of an AggregateError is empty, for example if the connections to several addresses are refused.
  const [cause = error] = error instanceof AggregateError ? (error.errors as Error[]) : [error];
  const { code = error.name } = error as NodeJS.ErrnoException;
  const sentences = [cause.message, ADVICE[code] ?? ADVICE[error.name]].filter(Boolean);
  return [`${error.name}: ${sentences.join('. ').replace('.. ', '. ')}`];
}
