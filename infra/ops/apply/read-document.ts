import { readFile } from 'node:fs/promises';
import { parse, YAMLParseError } from 'yaml';
import { UsageError } from '../usage-error.ts';

/** What a file of YAML, or JSON, which is YAML too, holds; throws a UsageError that says where it is wrong, and quotes nothing of it. */
export async function readDocument(file: string): Promise<unknown> {
  const unreadable = (reason: string) => new UsageError(`The file ${file} cannot be read: ${reason}`);
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw unreadable(error.message);
  });
  try {
    return parse(text, { logLevel: 'error' });
  } catch (error) {
    throw unreadable(reasonOf(error));
  }
}

// The file holds passwords: neither the excerpt that follows a message nor what is taken for a tag or an alias may be shown.
function reasonOf(error: unknown): string {
  const isParseError = error instanceof YAMLParseError;
  if (isParseError && error.code !== 'TAG_RESOLVE_FAILED') {
    const [message = ''] = error.message.split('\n');
    return message.replace(/:$/, '');
  }
  const place = isParseError && error.linePos ? ` at line ${error.linePos[0].line}` : '';
  return `a tag (!) or alias (*)${place} cannot be resolved; quote a text that begins with one`;
}
