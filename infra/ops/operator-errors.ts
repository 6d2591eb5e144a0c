import { describeFileError } from '../../lib/client/spreadsheets/system-errors.ts';
import type { Text } from '../../lib/domain/language.ts';
import { opsTexts } from './texts/ops-texts.ts';

/** The exit codes of the command line. A command that is interrupted or not confirmed ends with 130. */
export const EXIT = { done: 0, rejected: 1, wrongUse: 2, failed: 3, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An error that the operator can correct. Its message is printed without the name of the error. */
export class OperatorError extends Error {
  readonly exitCode: ExitCode = EXIT.wrongUse;
}

/** The error of a command whose result could not be written completely. */
export class OutputError extends OperatorError {
  override readonly exitCode = EXIT.failed;
}

/** The error of a command whose question the user did not confirm. */
export class NotConfirmedError extends OperatorError {
  override readonly exitCode = EXIT.interrupted;
}

/** The error of an input file that cannot be read from a line on. Commands replace it by an OperatorError. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** Returns the exit code of a command that ended with this error. */
export function getExitCode(error: unknown): ExitCode {
  return error instanceof OperatorError ? error.exitCode : EXIT.failed;
}

/** Returns the lines that describe the error of a command. Only the message of an OperatorError can have several. */
export function describeFailure(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  if (error instanceof OperatorError) return error.message.split('\n');
  // The message of an AggregateError is empty, for example if the connections to several addresses are refused.
  const describedError: Error = error instanceof AggregateError ? error.errors[0] : error;
  return [`${error.name}: ${describedError.message}`];
}

/** Describes an error of a file or a pipe. In English, the description of a file error also contains the path. */
export function describeSystemError(error: unknown): Text {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EPIPE' ? opsTexts.closedPipe : describeFileError(error);
}
