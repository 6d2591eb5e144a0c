import { readFile } from 'node:fs/promises';
import { parse, YAMLParseError } from 'yaml';
import type { Text } from '../../../lib/domain/language.ts';
import { fileErrors } from '../../../lib/client/spreadsheets/system-errors.ts';
import { describeSystemError, OperatorError } from '../operator-errors.ts';
import { translate } from '../texts/language.ts';

/**
 * Reads a file of YAML or JSON. Throws an OperatorError that contains the position of an error, but no text of the
 * file.
 */
export async function readDocument(file: string): Promise<unknown> {
  try {
    // JSON is also YAML.
    return parse(await readFile(file, 'utf8'), { logLevel: 'error' });
  } catch (error) {
    throw new OperatorError(translate(fileErrors.cannotRead(file, toReason(error))));
  }
}

/** Describes an error without the message of the parser, because it quotes the file, which can contain passwords. */
function toReason(error: unknown): Text {
  if ((error as NodeJS.ErrnoException).syscall !== undefined) return describeSystemError(error);
  // The parser throws another class of error only for an alias that is not defined.
  let reason = 'an alias (*) is not defined; quote a text that begins with *';
  if (error instanceof YAMLParseError) {
    const [start] = error.linePos ?? [];
    const position = start ? ` at line ${start.line}, column ${start.col}` : '';
    // The code is for example `BAD_INDENT`.
    reason = `${error.code.toLowerCase().replaceAll('_', ' ')}${position}`;
  }
  return { en: reason, es: reason };
}
