import * as inspector from 'node:inspector';
import { env } from 'node:process';
import type { parseArgs } from 'node:util';
import type { SampleAccount } from '../../../lib/contracts/contract.ts';
import { readOptions } from '../../process/read-options.ts';
import { exitWithError, print, printError } from '../../process/terminal.ts';
import { LOCAL_HOST, parsePort, requireFreePort } from '../ports.ts';
import type { DemoEngine } from '../prepare-data.ts';
import { type LocalService, type ServiceOptions, startService } from '../service.ts';

/** The port of the option --inspect without a port, which is the default of Node. */
const INSPECT_PORT = 9229;

const USAGE = `Usage: npm start -- [--port N] [--dynamodb-port N] [--data DIR] [--empty] [--events] [--quiet] [--inspect[=PORT]]

Runs the service on this machine, with demo data.

  --port N           the port of the service (default: 3000); 0 is any free port
  --dynamodb-port N  the port of its DynamoDB engine (default: 8000); 0 is any free port
  --data DIR         keep the data in this folder; without it, they are kept in memory
  --empty            do not load demo data
  --events           publish events, and show them at /_local/events
  --quiet            do not print lines for requests
  --inspect[=PORT]   accept a debugger (default: ${INSPECT_PORT}); functions then have no time limit

More: infra/local/README.md`;

const OPTIONS = {
  port: { type: 'string', default: '3000' },
  'dynamodb-port': { type: 'string', default: '8000' },
  data: { type: 'string' },
  empty: { type: 'boolean', default: false },
  events: { type: 'boolean', default: false },
  quiet: { type: 'boolean', default: false },
  inspect: { type: 'string' },
} as const;

type StartValues = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

/** The interval of the checks whether the parent process still runs. */
const PARENT_CHECK_MS = 500;

let service: LocalService | undefined;
let isShuttingDown = false;

await main().catch(exitWithError);

async function main(): Promise<void> {
  // npm sets this variable. It runs the service in a shell, which can end without the service; see watchParent.
  if (env['npm_lifecycle_event'] !== undefined) watchParent();
  // The parser does not support an option with an optional value, so that --inspect gets its default here.
  const args = process.argv.slice(2).map((arg) => (arg === '--inspect' ? `--inspect=${INSPECT_PORT}` : arg));
  const { inspectPort, ...options } = readOptions({ usage: USAGE, options: OPTIONS, parse: parseValues, args });
  const endpoint = env['AWS_ENDPOINT_URL_DYNAMODB'];
  if (endpoint) {
    print(`AWS_ENDPOINT_URL_DYNAMODB is set: ${endpoint} keeps the data. --data and --dynamodb-port are ignored.`);
  }
  if (inspectPort !== undefined) await openInspector(inspectPort);
  service = await startService({ ...options, hasTimeLimit: inspectPort === undefined });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void shutDown(0));
  service.engineEnded.catch((error: Error) => {
    printError(error.message);
    return shutDown(1);
  });
  print(formatBanner(service));
  print(`Ready: ${service.url}`);
}

/** Ends the service if its parent has ended. When npm stops its shell, some shells do not pass the signal on. */
function watchParent(): void {
  const parentId = process.ppid;
  setInterval(() => {
    if (process.ppid !== parentId) void shutDown(0);
  }, PARENT_CHECK_MS).unref();
}

function parseValues({ port, 'dynamodb-port': dynamodbPort, data, empty, events, quiet, inspect }: StartValues) {
  if (data?.trim() === '') throw new Error('--data takes the name of a folder.');
  const printedLog = process.stdout.isTTY ? 'text' : 'json';
  const log: ServiceOptions['log'] = quiet ? 'none' : printedLog;
  return {
    port: parsePort('--port', port),
    dynamodbPort: parsePort('--dynamodb-port', dynamodbPort),
    dataFolder: data,
    loadDemo: empty ? undefined : loadFullDemo,
    events,
    log,
    inspectPort: inspect === undefined ? undefined : parsePort('--inspect', inspect),
  };
}

async function loadFullDemo(engine: DemoEngine): Promise<SampleAccount> {
  // The modules of the demo are not imported at the top, because they would delay the start of the service.
  const { loadDemo } = await import('./demo.ts');
  return loadDemo(engine, 'full');
}

async function openInspector(port: number): Promise<void> {
  // The editor that started this process can already have opened the inspector.
  if (inspector.url() !== undefined) return;
  await requireFreePort(port, '--inspect');
  inspector.open(port, LOCAL_HOST);
}

/** Closes the service and ends the process. Under npm, the process can receive the signal of one Ctrl-C twice. */
async function shutDown(code: number): Promise<void> {
  if (isShuttingDown) return;
  isShuttingDown = true;
  // A request that is stopped at a breakpoint ends only without the inspector.
  inspector.close();
  await service?.close();
  process.exit(code);
}

function formatBanner({ url, endpoint, eventBusUrl, demo }: LocalService): string {
  const rows = {
    Address: url,
    Documentation: `${url}/docs`,
    'For clerks': `${url}/declare`,
    DynamoDB: endpoint,
    EventBridge: eventBusUrl,
    Tenant: demo?.tenant,
    'API key': demo?.apiKey,
    'E-mail': demo?.email,
    Password: demo?.password,
  };
  const lines = ['', 'Supplier Portal Invoice Service', ''];
  for (const [name, value] of Object.entries(rows)) {
    if (value !== undefined) lines.push(`  ${name.padEnd(15)}${value}`);
  }
  if (demo !== undefined) lines.push('', 'Log in with:', '', `  ${formatLoginCommand(url, demo)}`, '');
  return lines.join('\n');
}

function formatLoginCommand(url: string, { tenant, email, password }: SampleAccount): string {
  const body = JSON.stringify({ email, password });
  const headers = `-H 'tenant: ${tenant}' -H 'Content-Type: application/json'`;
  return `curl -sS ${url}/apidev/v1/login ${headers} -d '${body}'`;
}
