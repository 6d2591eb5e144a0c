import { inspect, styleText } from 'node:util';

/** A stream to which a program prints; it may be a terminal. */
export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly writableNeedDrain?: boolean;
  readonly fd?: number;
};

type Stream = Pick<NodeJS.WritableStream, 'write'>;

export function print(text: string, stream: Stream = process.stdout): void {
  stream.write(`${text}\n`);
}

/** Prints a text unchanged, and an Error with its stack. */
export function printError(error: unknown, stream: Stream = process.stderr): void {
  stream.write(`${typeof error === 'string' ? error : inspect(error)}\n`);
}

/** An error that the user of a command can correct: its message explains how, usually in one line. */
export class CommandError extends Error {}

/** Prints the error of a failed command, and ends the process. */
export function exitWithError(error: unknown): never {
  printError(error instanceof CommandError ? error.message : error);
  process.exit(1);
}

type Format = Parameters<typeof styleText>[0];
type Variables = Readonly<Record<string, string | undefined>>;

/** A function that styles a text, or returns it unchanged. */
export type Style = (format: Format, text: string) => string;

/** True if a stream is a terminal that shows colours; NO_COLOR switches them off. */
export function showsColours(stream: Pick<OutputStream, 'isTTY'>, variables: Variables): boolean {
  return stream.isTTY === true && !variables['NO_COLOR'] && variables['TERM'] !== 'dumb';
}

/** Creates the style function of a stream. It returns texts unchanged unless the stream shows colours. */
export function createStyle(stream: Pick<OutputStream, 'isTTY'>, variables: Variables): Style {
  if (!showsColours(stream, variables)) return (_, text) => text;
  // By default, styleText would check stdout, not this stream.
  return (format, text) => styleText(format, text, { validateStream: false });
}
