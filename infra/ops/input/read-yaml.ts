import { readFile } from 'node:fs/promises';
import { parse, YAMLParseError } from 'yaml';
import { fileErrors } from '../../../lib/client/spreadsheets/system-errors.ts';
import type { Text } from '../../../lib/domain/language.ts';
import { describeSystemError, OperatorError } from '../operator-errors.ts';
import { translate } from '../texts/language.ts';

/** Reads a file of YAML or JSON. Throws an OperatorError with the position of an error, but without text of the file. */
export async function readDocument(file: string): Promise<unknown> {
  try {
    // JSON is also YAML.
    return parse(await readFile(file, 'utf8'), { logLevel: 'error' });
  } catch (error) {
    throw new OperatorError(translate(fileErrors.cannotRead(file, describeError(error))));
  }
}

/** Describes an error without the message of the parser, because it quotes the file, which can contain passwords. */
function describeError(error: unknown): Text {
  const isFileError = (error as NodeJS.ErrnoException).syscall !== undefined;
  if (isFileError) return describeSystemError(error);
  // The parser throws another class of error only for an alias that is not defined.
  const description =
    error instanceof YAMLParseError
      ? describeParseError(error)
      : 'an alias (*) is not defined; quote a text that begins with *';
  return { en: description, es: description };
}

/** Describes an error by its code and position, such as `bad indent at line 3, column 1`. */
function describeParseError({ code, linePos }: YAMLParseError): string {
  const words = code.toLowerCase().replaceAll('_', ' ');
  const start = linePos?.[0];
  return start ? `${words} at line ${start.line}, column ${start.col}` : words;
}
