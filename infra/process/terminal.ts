import { inspect } from 'node:util';

/** A stream to which a program prints. It can be a terminal. */
export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly writableNeedDrain?: boolean;
};

type Stream = Pick<NodeJS.WritableStream, 'write'>;

export function print(text: string, stream: Stream = process.stdout): void {
  stream.write(`${text}\n`);
}

/** Prints a string unchanged, and an Error with its stack. */
export function printError(error: unknown, stream: Stream = process.stderr): void {
  const text = typeof error === 'string' ? error : inspect(error);
  stream.write(`${text}\n`);
}

/** An error that the user of a command can correct. Its message explains how, usually in one line. */
export class CommandError extends Error {}

/** Prints the error of a failed command, and ends the process. */
export function exitWithError(error: unknown): never {
  printError(error instanceof CommandError ? error.message : error);
  process.exit(1);
}
