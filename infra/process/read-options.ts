import { env } from 'node:process';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { print, printError } from './terminal.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<Known extends Options> = ReturnType<typeof parseArgs<{ options: Known }>>['values'];

/**
 * Reads the options of a script, and offers help. The first line of `usage` is the command. If an option is invalid or
 * `parse` throws an error, prints a line and ends with 2. Arguments that are not options are invalid, unless `takesWords`
 * is true. An option before `--` is also invalid, because npm reads it as its own.
 */
export function readOptions<Known extends Options, Parsed = Values<Known>>(
  usage: string,
  options: Known = {} as Known,
  parse: (values: Values<Known>, words: readonly string[]) => Parsed = (values) => values as Parsed,
  { takesWords = false, args = process.argv.slice(2) } = {},
): Parsed {
  offerHelp(usage);
  try {
    // npm keeps the options that it has read in environment variables, such as `npm_config_dry_run`.
    const optionReadByNpm = Object.keys(options).find((name) => env[`npm_config_${name.replaceAll('-', '_')}`]);
    if (optionReadByNpm !== undefined) {
      throw new Error(`npm has read --${optionReadByNpm} as its own option: pass it after "--".`);
    }
    const { values, positionals } = parseArgs({ args, options, allowPositionals: takesWords });
    return parse(values, positionals);
  } catch (error) {
    const [command] = usage.split('\n');
    printError(`${getFirstSentence((error as Error).message)} ${command}`);
    process.exit(2);
  }
}

/** Prints the usage and ends with 0 if the script is called with --help. */
export function offerHelp(usage: string): void {
  if (!process.argv.some((word) => word === '--help' || word === '-h')) return;
  print(usage);
  process.exit(0);
}

/** Removes the sentence "To specify …", which Node adds for arguments that begin with a dash, and following lines. */
function getFirstSentence(message: string): string {
  const [sentence = ''] = message.split(/\n|\. To specify/);
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}
