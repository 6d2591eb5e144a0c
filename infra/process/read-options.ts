import { env } from 'node:process';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { print, printError } from './terminal.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<Known extends Options> = ReturnType<typeof parseArgs<{ options: Known }>>['values'];

/** Prints the usage and ends with 0 if the script is called with --help. */
export function offerHelp(usage: string): void {
  if (!process.argv.some((word) => word === '--help' || word === '-h')) return;
  print(usage);
  process.exit(0);
}

/**
 * Reads the options of a script, and offers help. The first line of the usage is the command. If an option is
 * invalid or `parse` throws, prints a line and ends with 2. Arguments without option are invalid, unless `takesWords`.
 * An option that the user passed to npm, before `--`, is invalid: npm keeps it in a variable of the environment.
 */
export function readOptions<Known extends Options, Parsed = Values<Known>>(
  usage: string,
  options: Known = {} as Known,
  parse: (values: Values<Known>, words: readonly string[]) => Parsed = (values) => values as Parsed,
  { takesWords = false, args = process.argv.slice(2) } = {},
): Parsed {
  offerHelp(usage);
  try {
    const lost = Object.keys(options).find(isReadByNpm);
    if (lost !== undefined) throw new Error(`npm has read --${lost} as its own option: pass it after "--".`);
    const { values, positionals } = parseArgs({ args, options, allowPositionals: takesWords });
    return parse(values, positionals);
  } catch (error) {
    // Only the first sentence is printed. Node adds a second one for arguments that begin with a dash: "To specify …".
    const [reason = ''] = (error as Error).message.split(/\n|\. To specify/);
    printError(`${reason.replace(/\.?$/, '.')} ${usage.split('\n')[0]}`);
    process.exit(2);
  }
}

/** True if npm has read an option as its own. For npm, `--no-limits` sets its option `limits` to false. */
function isReadByNpm(option: string): boolean {
  const name = option.replaceAll('-', '_');
  return Boolean(env[`npm_config_${name}`]) || (name.startsWith('no_') && env[`npm_config_${name.slice(3)}`] === '');
}
