import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { readOptions } from '../../infra/process/read-options.ts';
import { CommandError, print, printError } from '../../infra/process/terminal.ts';
import { type Reply, sendRequest } from '../../lib/client/transport.ts';
import { isConfidential, wait } from '../../lib/client/index.ts';
import { toPrintable } from '../../lib/runtime/printable.ts';

const usage = `Usage: npm run -s suite -- legacy-replay FOLDER --address URL [--ignore FIELD]

Sends recorded legacy calls to a service, one after another, and prints the differences between the responses and the
recordings.

  FOLDER          the folder with a file NAME.json for each call
  --address URL   the address of the service, without /apidev
  --ignore FIELD  the name of a field that may differ; may be repeated

Exit codes: 0 all responses are as recorded; 1 a response differs or was not received; 2 invalid usage or recording,
nothing was sent.
More: lib/legacy/README.md`;

const TIMEOUT_MS = 30_000;

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

const { folder, address, ignored } = readOptions({
  usage,
  options: { address: { type: 'string' }, ignore: { type: 'string', multiple: true } },
  allowPositionals: true,
  parse({ address: url, ignore = [] }, [named, ...others]) {
    if (named === undefined || others.length > 0) throw new Error('Pass exactly one folder.');
    if (url === undefined || !isConfidential(url)) {
      throw new Error('--address takes an address with https://, or with http:// on this machine.');
    }
    return { folder: named, address: url.replace(/\/+$/, ''), ignored: new Set(ignore) };
  },
});

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
  const secrets: string[] = [];
  const text = readFileSync(join(folder, file), 'utf8').replaceAll(/\{\{(\w+)\}\}/g, (_, variable: string) => {
    const value = env[variable];
    if (!value) throw new CommandError(`${file} needs the environment variable ${variable}, which is not set.`);
    secrets.push(value);
    return toJsonText(value);
  });
  const { operation, request, status, response, headers } = parseObject(text);
  const isValid = typeof operation === 'string' && /^\w+$/.test(operation) && Number.isInteger(status);
  if (!isValid || !isParent(request) || response === undefined)
    throw new CommandError(`${file} must be a JSON object with operation, request, status and response.`);
  const credentials = Object.values(Object(request['WSAutorizacion'])).filter((value) => typeof value === 'string');
  const name = file.replace(/\.json$/, '');
  return { name, operation, request, status, response, headers, secrets: [...credentials, ...secrets] } as Recording;
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function toJsonText(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** Sends a recorded call and prints the differences of its response; true if there are none. */
async function replay(recording: Recording): Promise<boolean> {
  const { name, status, response } = recording;
  const reply = await send(recording);
  if ('error' in reply) {
    print(toPrintable(`${name}: ${reply.error.message}`));
    return false;
  }
  const differences = findDifferences({ status, response }, { status: reply.status, response: reply.body });
  print(`${name}: ${differences.length === 0 ? 'as recorded' : 'differs'}`);
  for (const difference of differences) print(`  ${toPrintable(hideSecrets(difference, recording))}`);
  return differences.length === 0;
}

/** Removes the credentials of a recording from a text, also in their JSON form. */
function hideSecrets(text: string, { secrets }: Recording): string {
  const written = secrets.filter(Boolean).flatMap((secret) => [toJsonText(secret), secret]);
  return written.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

/** Sends a call; retries it once after a pause if the rate limit rejects it. */
async function send({ operation, headers, request, status }: Recording): Promise<Reply> {
  const call = {
    method: 'POST',
    url: `${address}/apidev/legacy/${operation}`,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(request),
  } as const;
  const sendOnce = () => sendRequest(fetch, call, { timeoutMs: TIMEOUT_MS, signal: undefined });
  const reply = await sendOnce();
  if ('error' in reply || reply.status !== 429 || status === 429) return reply;
  const seconds = Number(reply.headers.get('Retry-After'));
  print(`Rate limit: waiting for ${seconds} seconds.`);
  await wait(seconds);
  return sendOnce();
}

/** Describes the fields that differ between a recorded and a received value, with their paths. */
function findDifferences(recorded: unknown, received: unknown, path = ''): string[] {
  if (isParent(recorded) && isParent(received) && Array.isArray(recorded) === Array.isArray(received)) {
    const names = new Set([...Object.keys(recorded), ...Object.keys(received)]);
    return [...names].flatMap((name) => {
      if (ignored.has(name)) return [];
      const [before, now] = [recorded, received].map((parent) =>
        Object.hasOwn(parent, name) ? parent[name] : undefined,
      );
      return findDifferences(before, now, path === '' ? name : `${path}.${name}`);
    });
  }
  const [before, now] = [recorded, received].map((value) => JSON.stringify(value));
  return before === now ? [] : [`${path} is ${now ?? 'missing'}, recorded ${before ?? 'nothing'}`];
}

function isParent(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
