import { parseArgs, type ParseArgsConfig } from 'node:util';
import { print, printError } from './terminal.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<Known extends Options> = ReturnType<typeof parseArgs<{ options: Known }>>['values'];

/**
 * Reads the options of a script. With --help it prints the usage, whose first line is the command, and ends with 0.
 * When an option is wrong, or `judge` throws, it says so in a line, and ends with 2.
 */
export function readOptions<Known extends Options, Judged = Values<Known>>(
  usage: string,
  options: Known,
  judge: (values: Values<Known>) => Judged = (values) => values as Judged,
): Judged {
  if (process.argv.includes('--help')) {
    print(usage);
    process.exit(0);
  }
  try {
    return judge(parseArgs({ options }).values);
  } catch (error) {
    printError(`${(error as Error).message.split('\n')[0]} ${usage.split('\n')[0]}`);
    process.exit(2);
  }
}
