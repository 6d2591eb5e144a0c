import { env } from 'node:process';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { print, printError } from './terminal.ts';

type OptionsConfig = NonNullable<ParseArgsConfig['options']>;
type Values<Options extends OptionsConfig> = ReturnType<typeof parseArgs<{ options: Options }>>['values'];

/** The command line of a script. Its positionals are the arguments that are not options. */
interface CommandLine<Options extends OptionsConfig, Result> {
  /** The help. Its first line is the command, such as `Usage: npm start -- [--port N]`. */
  readonly usage: string;
  readonly options: Options;
  /** Converts the values of the options. Throws an Error whose message explains an invalid value. */
  readonly parse: (values: Values<Options>, positionals: readonly string[]) => Result;
  readonly allowPositionals?: boolean;
  readonly args?: string[];
}

/**
 * Reads the options of a script, and returns the result of `parse`. With --help, prints the usage and exits with code
 * 0. If an argument is invalid, prints a line such as the following one, and exits with code 2:
 *   Unknown option '--prot'. Usage: npm start -- [--port N]
 */
export function readOptions<Options extends OptionsConfig, Result>(commandLine: CommandLine<Options, Result>): Result {
  const { usage, options, parse, allowPositionals = false, args = process.argv.slice(2) } = commandLine;
  handleHelpOption(usage, args);
  try {
    // In `npm start --quiet`, npm reads the option as its own, and only sets the variable `npm_config_quiet`.
    const optionReadByNpm = Object.keys(options).find((name) => env[`npm_config_${name.replaceAll('-', '_')}`]);
    if (optionReadByNpm !== undefined) {
      throw new Error(`npm has read --${optionReadByNpm} as its own option: pass it after "--".`);
    }
    const { values, positionals } = parseArgs({ args, options, allowPositionals });
    return parse(values, positionals);
  } catch (error) {
    const [command] = usage.split('\n');
    printError(`${getFirstSentence((error as Error).message)} ${command}`);
    process.exit(2);
  }
}

/** Offers help for a script that has no options, and rejects all other arguments. */
export function rejectArguments(usage: string): void {
  readOptions({ usage, options: {}, parse: () => undefined });
}

/** Prints the usage and exits with code 0 if the arguments contain --help or -h. */
export function handleHelpOption(usage: string, args: readonly string[] = process.argv.slice(2)): void {
  if (!args.includes('--help') && !args.includes('-h')) return;
  print(usage);
  process.exit(0);
}

/** Returns the first sentence of a message. Node can add advice to it, on further lines or after "To specify". */
function getFirstSentence(message: string): string {
  const [sentence = ''] = message.split(/\n|\. To specify/);
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}
