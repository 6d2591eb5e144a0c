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
 * Reads the options of a script; its usage begins with the line of the command. When an option is wrong, or `parse`
 * throws, it says so in a line, and ends with 2. It offers help, too. Words beside the options are wrong, unless
 * `takesWords` says otherwise.
 */
export function readOptions<Known extends Options, Parsed = Values<Known>>(
  usage: string,
  options: Known = {} as Known,
  parse: (values: Values<Known>, words: readonly string[]) => Parsed = (values) => values as Parsed,
  { takesWords = false } = {},
): Parsed {
  offerHelp(usage);
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: takesWords });
    return parse(values, positionals);
  } catch (error) {
    // Node goes on with how to write a word that begins with a dash.
    const [reason] = (error as Error).message.split(/\n|\. To specify/);
    printError(`${reason} ${usage.split('\n')[0]}`);
    process.exit(2);
  }
}

/** The whole number, of 1 at the least, that an option was given. */
export function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${option} takes a whole number from 1 on.`);
  return Number(text);
}
