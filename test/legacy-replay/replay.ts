import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { parseWholeNumber, readOptions } from '../../infra/process/read-options.ts';
import { CommandError, print, printError } from '../../infra/process/terminal.ts';
import { type CompleteReply, sendRequest } from '../../lib/client/transport.ts';
import { isConfidential, PortalError, wait } from '../../lib/client/index.ts';
import { toPrintable } from '../../lib/runtime/printable.ts';

const usage = `Usage: npm run -s suite -- legacy-replay FOLDER --address URL [--ignore FIELD] [--timeout SECONDS]

Sends recorded legacy calls to a service, one after another, and prints the differences between the responses and the
recordings.

  FOLDER             the folder with a file NAME.json for each call
  --address URL      the address of the service, without /apidev
  --ignore FIELD     a field that may differ, by its name or its whole path; may be repeated
  --timeout SECONDS  the time limit of a call (default: 30)

Exit codes: 0 all responses are as recorded; 1 a response differs or was not received; 2 invalid usage or recording,
nothing was sent.
More: lib/legacy/README.md`;

const MAX_LINE = 200;

/** A recorded call of an operation with its response; `secrets` must not be printed. */
interface Recording {
  readonly name: string;
  readonly operation: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly request: { readonly WSAutorizacion?: unknown };
  readonly status: number;
  readonly response: unknown;
  readonly secrets: readonly string[];
}

const { folder, address, ignored, timeoutMs } = readOptions(
  usage,
  { address: { type: 'string' }, ignore: { type: 'string', multiple: true }, timeout: { type: 'string' } },
  ({ address: url, ignore = [], timeout = '30' }, [named, ...others]) => {
    if (named === undefined || others.length > 0) throw new Error('Pass exactly one folder.');
    if (url === undefined || !isConfidential(url)) {
      throw new Error('--address takes an address with https://, or with http:// on this machine.');
    }
    const seconds = parseWholeNumber('--timeout', timeout);
    return { folder: named, address: url.replace(/\/+$/, ''), ignored: ignore, timeoutMs: 1000 * seconds };
  },
  { takesWords: true },
);

try {
  const files = globSync('*.json', { cwd: folder }).toSorted();
  if (files.length === 0) throw new CommandError(`${folder} contains no recording NAME.json.`);
  const recordings = files.map(readRecording);
  let differing = 0;
  for (const recording of recordings) if (!(await replay(recording))) differing += 1;
  print(`${recordings.length - differing} of ${recordings.length} responses are as recorded.`);
  process.exitCode = differing === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  printError(toPrintable(error.message));
  process.exitCode = 2;
}

/** Reads a recording, and replaces `{{NAME}}` by the environment variable. Errors do not quote the file. */
function readRecording(file: string): Recording {
  const values: string[] = [];
  const text = readFileSync(join(folder, file), 'utf8').replaceAll(/\{\{(\w+)\}\}/g, (_, variable: string) => {
    const value = env[variable];
    if (!value) throw new CommandError(`${file} needs the environment variable ${variable}, which is not set.`);
    values.push(value);
    return toJsonText(value);
  });
  const { operation, request, status, response, headers } = parseObject(text);
  const isValid = typeof operation === 'string' && /^\w+$/.test(operation) && Number.isInteger(status);
  if (!isValid || !isParent(request) || response === undefined)
    throw new CommandError(`${file} must be a JSON object with operation, request, status and response.`);
  const secrets = [...listTexts(request['WSAutorizacion']), ...values];
  return { name: file.replace(/\.json$/, ''), operation, request, status, response, headers, secrets } as Recording;
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text.replace(/^\ufeff/, '')));
  } catch {
    return {};
  }
}

function toJsonText(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return isParent(value) ? Object.values(value).flatMap(listTexts) : [];
}

/** Sends a recorded call and prints the differences of its response; true if there are none. */
async function replay(recording: Recording): Promise<boolean> {
  const { name, status, response } = recording;
  const reply = await send(recording).catch((error: unknown) => {
    if (!(error instanceof PortalError)) throw error;
    print(toPrintable(`${name}: ${error.message}`));
  });
  if (!reply) return false;
  const bodyDifferences =
    reply.body === undefined ? [{ path: 'body', what: 'is not JSON' }] : findDifferences(response, reply.body);
  const differences = [...findDifferences(status, reply.status, 'status'), ...bodyDifferences];
  const reported = differences.filter(({ path }) => !ignored.includes(path) && !ignored.includes(getFieldName(path)));
  const count = reported.length === 1 ? '1 difference' : `${reported.length} differences`;
  print(toPrintable(`${name}: ${reported.length === 0 ? 'as recorded' : count}`));
  for (const { path, what } of reported)
    print(`  ${toPrintable(`${path} ${hideSecrets(what, recording)}`.slice(0, MAX_LINE))}`);
  return reported.length === 0;
}

/** Removes the credentials of a recording from a text, also in their JSON form. */
function hideSecrets(text: string, { secrets }: Recording): string {
  const written = secrets.flatMap((secret) => [toJsonText(secret), secret]);
  return written.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

/** Sends a call; retries it once after a pause if the rate limit rejects it. */
async function send({ operation, headers, request, status }: Recording): Promise<CompleteReply> {
  const call = {
    method: 'POST',
    url: `${address}/apidev/legacy/${operation}`,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(request),
  } as const;
  const sendOnce = async (): Promise<CompleteReply> => {
    const reply = await sendRequest(fetch, call, { timeoutMs, signal: undefined });
    if ('error' in reply) throw reply.error;
    return reply;
  };
  const reply = await sendOnce();
  const seconds = Number(reply.headers.get('Retry-After'));
  if (reply.status !== 429 || status === 429 || !(seconds > 0)) return reply;
  print(`Rate limit: waiting for ${seconds} seconds.`);
  await wait(seconds);
  return sendOnce();
}

/** Returns the name of the field at a path, without positions in lists. */
function getFieldName(path: string): string {
  return path.replaceAll(/^.*\.|\[\d+\]/g, '');
}

/** A difference between a response and its recording: the JSON path of a field, and a description. */
interface Difference {
  readonly path: string;
  readonly what: string;
}

/** Finds the differences between a recorded and a received value, in the order of the recorded fields. */
function findDifferences(recorded: unknown, received: unknown, path = ''): Difference[] {
  if (isParent(recorded) && isParent(received) && Array.isArray(recorded) === Array.isArray(received)) {
    return [...new Set([...Object.keys(recorded), ...Object.keys(received)])].flatMap((name) => {
      const below = Array.isArray(recorded) ? `${path}[${name}]` : (path && `${path}.${name}`) || name;
      const [before, now] = [recorded, received].map((parent) =>
        Object.hasOwn(parent, name) ? parent[name] : undefined,
      );
      return findDifferences(before, now, below);
    });
  }
  const [before, now] = [recorded, received].map((value) => JSON.stringify(value));
  if (before === now) return [];
  const what = before === undefined ? `is not recorded, but is ${now}` : `is ${now ?? 'missing'}, recorded ${before}`;
  return [{ path, what }];
}

function isParent(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
