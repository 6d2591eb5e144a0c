import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './usage-error.ts';

/** Reads the one FILE and the options of a command; throws a UsageError when they are not as the command takes them. */
export function readArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: Options,
) {
  const { values, positionals } = parse();
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new UsageError('Name one file; --help shows how.');
  return { file, values };

  function parse() {
    try {
      return parseArgs({ args, options, allowPositionals: true, strict: true });
    } catch (error) {
      const [firstSentence] = (error as Error).message.split('. ');
      throw new UsageError(`${firstSentence}; --help shows the options.`);
    }
  }
}
