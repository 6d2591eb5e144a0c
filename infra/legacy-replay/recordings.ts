import { isUtf8 } from 'node:buffer';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { CommandError } from '../terminal.ts';

/** A recorded call of an operation with its response; `secrets` must not be printed. */
export interface Recording {
  readonly name: string;
  readonly operation: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly expected: { readonly status: number; readonly body: unknown };
  readonly secrets: readonly string[];
}

// Other headers belong to the recorded connection.
const SENT_HEADERS = ['content-type', 'tenant'];

/** Reads the recordings of a folder, in the order of their names; throws a CommandError with a line for each error. */
export function readRecordings(folder: string): Recording[] {
  const files = globSync('*.{request,answer}.http', { cwd: folder });
  const names = new Set(files.map((file) => file.replace(/\.(request|answer)\.http$/, '')));
  if (names.size === 0) {
    throw new CommandError(`${folder} is no folder with recordings: NAME.request.http and NAME.answer.http.`);
  }
  const errors: string[] = [];
  const recordings = [...names].toSorted().flatMap((name) => {
    try {
      return [readRecording(folder, name)];
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      errors.push(error.message);
      return [];
    }
  });
  if (errors.length > 0) throw new CommandError(errors.join('\n'));
  return recordings;
}

function readRecording(folder: string, name: string): Recording {
  const request = readMessage(folder, `${name}.request.http`);
  const [, target] = /^POST (\S+)( HTTP\/[\d.]+)?$/.exec(request.firstLine) ?? [];
  const operation = target && URL.parse(target, 'http://recorded')?.pathname.split('/').at(-1);
  if (!operation) {
    throw new CommandError(`${name}.request.http is no HTTP request: its first line must be POST and an address.`);
  }
  const answer = readMessage(folder, `${name}.answer.http`);
  const [, status] = /^HTTP\/[\d.]+ (\d{3})( .*)?$/.exec(answer.firstLine) ?? [];
  if (!status) {
    throw new CommandError(`${name}.answer.http is no HTTP answer: its first line must be like HTTP/1.1 200 OK.`);
  }
  const { WSAutorizacion } = Object(request.json()) as { readonly WSAutorizacion?: unknown };
  return {
    name,
    operation,
    headers: Object.fromEntries(request.headers.filter(([header]) => SENT_HEADERS.includes(header))),
    body: request.body,
    expected: { status: Number(status), body: answer.json() },
    secrets: [...listTexts(WSAutorizacion), ...request.values, ...answer.values],
  };
}

/** Reads a file with an HTTP message, which blank lines and comments (`#`) may precede. */
function readMessage(folder: string, file: string) {
  const bytes = orCommandError(() => readFileSync(join(folder, file)), `${file} is not there, or cannot be read.`);
  if (!isUtf8(bytes)) throw new CommandError(`${file} is not UTF-8 (it may be Windows-1252): save it as UTF-8.`);
  const text = new TextDecoder().decode(bytes).replaceAll('\r\n', '\n');
  const [head = '', written = ''] = text.replace(/^((#.*|[ \t]*)\n)+/, '').split(/\n[ \t]*\n(.*)/s);
  const [firstLine = '', ...lines] = head.split('\n').map((line) => line.trim());
  const headers = lines.map((line) => {
    const [name = '', value = ''] = line.split(/:(.*)/s);
    return [name.trim().toLowerCase(), value.trim()] as const;
  });
  const values: string[] = [];
  const body = written.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = env[name];
    if (!value) throw new CommandError(`${file} needs ${name}, which is not set in the environment.`);
    values.push(value);
    // The value as it is escaped in a JSON string.
    return JSON.stringify(value).slice(1, -1);
  });
  const noJson = `${file} has no JSON as its body, which begins after the first empty line.`;
  return { firstLine, headers, body, values, json: () => orCommandError(() => JSON.parse(body) as unknown, noJson) };
}

/** Returns the result of a reader; replaces its error, which may quote a body with passwords, by a CommandError. */
function orCommandError<Result>(read: () => Result, message: string): Result {
  try {
    return read();
  } catch {
    throw new CommandError(message);
  }
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}
