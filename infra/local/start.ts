import { env } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { readOptions } from '../command-line.ts';
import { portNumber } from './ports.ts';
import { type LocalService, type ServiceOptions, startService } from './service.ts';
import { endWith, print, printError } from '../terminal.ts';

const usage = `Usage: npm start -- [--port N] [--dynamodb-port N] [--data DIR] [--empty] [--events] [--watch] [--quiet] [--json-logs]

Runs the service on this machine, with demo data.

  --port N           the port of the service (3000); 0: any free one
  --dynamodb-port N  the port of its DynamoDB engine (8000); 0: any free one
  --data DIR         keeps the data in a folder; without it they live in memory
  --empty            loads no demo data
  --events           publishes events, and shows them at /_local/events
  --watch            takes over changes of functions/ and lib/ while it runs
  --quiet            prints no line for a request
  --json-logs        prints the functions' own log lines, as they do when the output is no terminal

More: infra/local/README.md`;

// Every function has a thread, and hundreds of megabytes of garbage may gather in each before V8 looks through all of
// it: by default a heap may first grow to a multiple of what lives in it. Sizes in megabytes.
setFlagsFromString('--initial-old-space-size=32');
setFlagsFromString('--heap-growing-percent=50');
setFlagsFromString('--max-semi-space-size=4');

const PARENT_MS = 500;

let service: LocalService | undefined;
let closing: Promise<never> | undefined;
const end = (code: number) => void (closing ??= Promise.resolve(service?.close()).then(() => process.exit(code)));

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Nobody reads any more, as behind `| head`.
    if (error.code === 'EPIPE') return end(0);
    if (stream === process.stdout) printError(`The output cannot be written: ${error.message}`);
    end(1);
  });
}
// A signal to npm ends npm and its shell, and some shells do not pass it on.
const parentId = process.ppid;
if (env['npm_lifecycle_event'] !== undefined) setInterval(() => process.ppid === parentId || end(0), PARENT_MS).unref();

try {
  service = await startService(readStartOptions(process.stdout));
  // Under npm one Ctrl-C may arrive twice.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(0));
  const { engineDied } = service;
  const endWithEngine = async () => {
    printError(await engineDied);
    end(1);
  };
  void endWithEngine();
  print(banner(service));
  for (const line of service.startLog) print(line);
  print(`Ready: ${service.url}`);
} catch (error) {
  endWith(error);
}

/** Reads the command line of `npm start`. */
function readStartOptions(terminal: NodeJS.WriteStream): ServiceOptions {
  return readOptions(
    usage,
    {
      port: { type: 'string', default: '3000' },
      'dynamodb-port': { type: 'string', default: '8000' },
      data: { type: 'string' },
      empty: { type: 'boolean', default: false },
      events: { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
      quiet: { type: 'boolean', default: false },
      'json-logs': { type: 'boolean', default: false },
    },
    ({ data, ...values }) => ({
      port: portNumber('--port', values.port),
      dynamodbPort: portNumber('--dynamodb-port', values['dynamodb-port']),
      dataDirectory: data === undefined ? undefined : folderName(data),
      demo: values.empty ? 'none' : 'whole',
      events: values.events,
      watch: values.watch,
      quiet: values.quiet,
      requestLines: terminal.isTTY && !values.quiet && !values['json-logs'] ? terminal : undefined,
    }),
  );
}

function folderName(text: string): string {
  if (text.trim() === '') throw new Error('--data takes the name of a folder.');
  return text;
}

/** What somebody who has just started the service needs: where it is, how to log in, and a line to paste. */
function banner({ url, endpoint, demo }: LocalService): string {
  const facts = { Address: url, Documentation: `${url}/docs`, DynamoDB: endpoint };
  if (demo === undefined) return lines(facts);

  const login = [
    `curl -sS ${url}/apidev/v1/login`,
    `-H 'tenant: ${demo.tenant}'`,
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify({ email: demo.email, password: demo.password })}'`,
  ].join(' ');
  const credentials = { Tenant: demo.tenant, 'API key': demo.apiKey, 'E-mail': demo.email, Password: demo.password };
  return `${lines({ ...facts, ...credentials })}\n\nLog in with:\n\n  ${login}\n`;
}

function lines(facts: Readonly<Record<string, string>>): string {
  const rows = Object.entries(facts).map(([name, value]) => `  ${name.padEnd(15)}${value}`);
  return ['', 'Supplier Portal Invoice Service', '', ...rows].join('\n');
}
