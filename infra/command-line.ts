import { parseArgs, type ParseArgsConfig } from 'node:util';
import { print, printError } from './terminal.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<Known extends Options> = ReturnType<typeof parseArgs<{ options: Known }>>['values'];

/** Prints the usage and ends with 0, when the script is called with --help. */
export function offerHelp(usage: string): void {
  if (!process.argv.some((word) => word === '--help' || word === '-h')) return;
  print(usage);
  process.exit(0);
}

/**
 * Reads the options of a script; its usage begins with the line of the command. When an option is wrong, or `judge`
 * throws, it says so in a line, and ends with 2. It offers help, too.
 */
export function readOptions<Known extends Options, Judged = Values<Known>>(
  usage: string,
  options: Known = {} as Known,
  judge: (values: Values<Known>) => Judged = (values) => values as Judged,
): Judged {
  offerHelp(usage);
  try {
    return judge(parseArgs({ options }).values);
  } catch (error) {
    printError(`${(error as Error).message.split('\n')[0]} ${usage.split('\n')[0]}`);
    process.exit(2);
  }
}

/** The whole number, of 1 at the least, that an option was given. */
export function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${option} takes a whole number from 1 on.`);
  return Number(text);
}
