import { exchange, type Reply } from '../../lib/client/exchange.ts';
import { isConfidential, PortalError, wait } from '../../lib/client/index.ts';
import { readOptions, parseWholeNumber } from '../command-line.ts';
import { printable } from '../../lib/runtime/printable.ts';
import { CommandError, print, printError } from '../terminal.ts';
import { readRecordings, type Recording } from './recordings.ts';

const usage = `Usage: npm run -s legacy:replay -- FOLDER --address URL [--ignore FIELD] [--timeout SECONDS]

Sends recorded legacy calls to a service, one after the other, and reports where its answers are not as recorded.

  FOLDER             holds NAME.request.http and NAME.answer.http for each call
  --address URL      the address of the service, in front of /apidev
  --ignore FIELD     a field that differs by nature, by its name or its whole path; can be given several times
  --timeout SECONDS  how long to wait for an answer (30)

Exit codes: 0 all answers are as recorded; 1 an answer differs, or did not arrive; 2 wrong use, and nothing was sent.
More: lib/legacy/README.md`;

const MAX_LINE = 200;

const { folder, address, ignored, timeoutMs } = readOptions(
  usage,
  { address: { type: 'string' }, ignore: { type: 'string', multiple: true }, timeout: { type: 'string' } },
  ({ address: url, ignore = [], timeout = '30' }, [named, ...others]) => {
    if (named === undefined || others.length > 0) throw new Error('Name one folder.');
    if (url === undefined || !isConfidential(url)) {
      throw new Error('--address takes an address with https://, or with http:// on this machine.');
    }
    const seconds = parseWholeNumber('--timeout', timeout);
    return { folder: named, address: url.replace(/\/+$/, ''), ignored: ignore, timeoutMs: 1000 * seconds };
  },
  { takesWords: true },
);

try {
  const recordings = readRecordings(folder);
  let differing = 0;
  for (const recording of recordings) if (!(await replay(recording))) differing += 1;
  print(`${recordings.length - differing} of ${recordings.length} answers are as recorded.`);
  process.exitCode = differing === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  printError(error.message.split('\n').map(printable).join('\n'));
  process.exitCode = 2;
}

/** Sends a recorded call and prints the differences of its response; true if there are none. */
async function replay(recording: Recording): Promise<boolean> {
  const { name, expected } = recording;
  const reply = await send(recording).catch((error: unknown) => {
    if (!(error instanceof PortalError)) throw error;
    print(printable(`${name}: ${error.message}`));
  });
  if (!reply) return false;
  const bodyDifferences =
    reply.body === undefined ? [{ path: 'body', what: 'is no JSON' }] : findDifferences(expected.body, reply.body);
  const differences = [...findDifferences(expected.status, reply.status, 'status'), ...bodyDifferences];
  const reported = differences.filter(({ path }) => !ignored.includes(path) && !ignored.includes(getFieldName(path)));
  const count = reported.length === 1 ? '1 difference' : `${reported.length} differences`;
  print(printable(`${name}: ${reported.length === 0 ? 'as recorded' : count}`));
  for (const { path, what } of reported)
    print(`  ${printable(`${path} ${hideSecrets(what, recording)}`.slice(0, MAX_LINE))}`);
  return reported.length === 0;
}

/** Removes the credentials of a recording from a text, also in their JSON form. */
function hideSecrets(text: string, { secrets }: Recording): string {
  const written = secrets.flatMap((secret) => [JSON.stringify(secret).slice(1, -1), secret]);
  return written.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

/** Sends a call; retries it once after a pause if the rate limit rejects it. */
async function send({ operation, headers, body, expected }: Recording): Promise<Reply> {
  const request = { method: 'POST', url: `${address}/apidev/legacy/${operation}`, headers, body } as const;
  const once = () => exchange(fetch, request, { timeoutMs, signal: undefined });
  const reply = await once();
  const seconds = Number(reply.headers.get('Retry-After'));
  if (reply.status !== 429 || expected.status === 429 || !(seconds > 0)) return reply;
  print(`The service asks to wait for ${seconds} seconds.`);
  await wait(seconds);
  return once();
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
