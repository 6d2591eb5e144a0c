import { OperatorError, OutputError } from './errors.ts';
import { NotConfirmed } from './confirm.ts';

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
  if (error instanceof OperatorError) return error.message.split('\n');
  if (error instanceof OutputError || error instanceof NotConfirmed) return [error.message];
  const { code = error.name } = error as NodeJS.ErrnoException;
  // The message of an AggregateError, such as that of a refused connection, is empty.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const message = cause instanceof Error ? cause.message : '';
  const sentences = [message, ADVICE[code] ?? ADVICE[error.name]].filter(Boolean);
  return [`${error.name}: ${sentences.join('. ')}`];
}
