import { readFile } from 'node:fs/promises';
import { parse, YAMLParseError } from 'yaml';
import { OperatorError } from '../operator-errors.ts';

/**
 * Reads a file of YAML, or of JSON, which is also YAML. Throws an OperatorError with the position of an error, but
 * without text of the file.
 */
export async function readDocument(file: string): Promise<unknown> {
  try {
    return parse(await readFile(file, 'utf8'), { logLevel: 'error' });
  } catch (error) {
    throw new OperatorError(`The file ${file} cannot be read: ${toReason(error)}`);
  }
}

// The file contains passwords, and the messages of the parser quote it: only the kind and position are shown.
function toReason(error: unknown): string {
  if ((error as NodeJS.ErrnoException).syscall !== undefined) return (error as Error).message;
  if (!(error instanceof YAMLParseError)) return 'an alias (*) is not defined; quote a text that begins with *';
  const [start] = error.linePos ?? [];
  const place = start ? ` at line ${start.line}, column ${start.col}` : '';
  return `${error.code.toLowerCase().replaceAll('_', ' ')}${place}`;
}
