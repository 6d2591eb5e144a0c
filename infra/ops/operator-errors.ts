import type { Text } from '../../lib/domain/language.ts';
import { describeFileError } from '../../lib/client/spreadsheets/system-errors.ts';
import { opsTexts } from './texts/ops-texts.ts';

/** The exit codes of the command line. A command that is interrupted or not confirmed ends with 130. */
export const EXIT = { done: 0, rejected: 1, wrongUse: 2, failed: 3, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * An error whose message needs no addition. By default, the command cannot be run: because of invalid usage, an unusable
 * file, or a missing record.
 */
export class OperatorError extends Error {
  readonly exitCode: ExitCode = EXIT.wrongUse;
}

export class OutputError extends OperatorError {
  override readonly exitCode = EXIT.failed;
}

export class NotConfirmedError extends OperatorError {
  override readonly exitCode = EXIT.interrupted;
}

export function getExitCode(error: unknown): ExitCode {
  return error instanceof OperatorError ? error.exitCode : EXIT.failed;
}

/** Describes an error of a file or a pipe. In English, the message of Node also contains the path. */
export function describeSystemError(error: unknown): Text {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EPIPE' ? opsTexts.closedPipe : describeFileError(error);
}

/** Describes the error of a command in one line, or in several lines if it is an OperatorError. */
export function describeFailure(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  if (error instanceof OperatorError) return error.message.split('\n');
  // The message of an AggregateError is empty, for example if the connections to several addresses are refused.
  const cause = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  return [`${error.name}: ${cause.message}`];
}
