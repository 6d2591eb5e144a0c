import { inspect } from 'node:util';

/** Prints lines to the user. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints what went wrong: a text as it is, anything else with its stack. */
export function printError(error: unknown): void {
  process.stderr.write(`${typeof error === 'string' ? error : inspect(error)}\n`);
}
