import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startEngine, type TestEngine } from '../engine/engine.ts';
import { startEngineProxy } from '../engine/engine-proxy.ts';
import { buildMinimalEnvironment } from '../setup/own-environment.ts';
import { createSigningKeyReader } from '../../../lib/tables/signing-key-tables.ts';
import { type AccountOverrides, seedAccount } from '../data/seed.ts';
import { buildInvoice, seedInvoices } from '../data/seed-invoices.ts';
import { issueToken } from './tokens.ts';

/** A parsed JSON log line. */
export type LogLine = Readonly<Record<string, unknown>>;

/** The service in a separate process whose output is recorded. */
export type LoggedService = Awaited<ReturnType<typeof startLoggedService>>;

const startFile = fileURLToPath(new URL('../../../infra/local/start/start.ts', import.meta.url));

// With this option, the service detects a terminal.
const terminal = 'process.stdout.isTTY = true';
const terminalOptions = ['--import', `data:text/javascript,${terminal}`];

/** Starts the deployed bundles as `npm start` does, on an engine behind a proxy. */
export async function startLoggedService({ isTerminal = false, options = [] as string[] } = {}) {
  const engine = await startEngine();
  const proxy = await startEngineProxy(engine);
  const env = { ...buildMinimalEnvironment(), AWS_ENDPOINT_URL_DYNAMODB: proxy.engine.endpoint };
  const child = spawn(
    process.execPath,
    [...(isTerminal ? terminalOptions : []), startFile, '--empty', '--port', '0', ...options],
    { env, stdio: 'pipe' },
  );
  let output = '';
  const outputEvents = new EventEmitter().setMaxListeners(0);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      outputEvents.emit('more');
    });
  }
  const waitFor = async <Found>(find: () => Found | undefined): Promise<Found> => {
    const signal = AbortSignal.timeout(20_000);
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await once(outputEvents, 'more', { signal }).catch(() => {
        throw new Error(`The expected output did not appear:\n${output}`);
      });
    }
  };
  const url = await waitFor(() => /^Ready: (\S+)$/m.exec(output)?.[1]);

  return {
    url,
    engine,
    proxy,
    /** Returns the output of both streams so far. */
    output: () => output,
    /** Waits for the last log line of a request, and returns all its log lines. */
    waitForLogLines: (requestId: string) =>
      waitFor(() => {
        const lines = parseLogLines(output, requestId);
        return lines.some(({ message }) => message === 'request') ? lines : undefined;
      }),
    /** Waits for the line that a request prints on a terminal. */
    waitForTerminalLine: (requestId: string) =>
      waitFor(() => new RegExp(`^.* ms req ${requestId}\\n`, 'm').exec(output)?.[0]),
    /** Creates an account with an invoice. Returns the parts of its requests. */
    newParts: (overrides?: AccountOverrides) => createRequestParts(engine, overrides),
    async close() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      await proxy.close();
      await engine.close();
    },
  };
}

async function createRequestParts(engine: TestEngine, overrides?: AccountOverrides) {
  const account = await seedAccount(engine, overrides);
  const [invoice] = await seedInvoices(engine, account.scope, [buildInvoice()]);
  const signingKey = await createSigningKeyReader(engine.client, engine.tables.SigningKeys)();
  if (!signingKey || !invoice) throw new Error('The service has no signing key.');
  return {
    account,
    tenant: account.scope.tenant,
    authorization: `Bearer ${await issueToken(account.reference, signingKey)}`,
    apiKey: account.apiKey,
    email: account.email,
    password: account.password,
    playerId: 'phone-1',
    invoiceId: invoice.invoiceId,
    notes: 'two hours of waiting',
    search: 'cordoba',
  };
}

/** Parses the complete JSON lines of a request in the output of a function. */
function parseLogLines(output: string, requestId: string): LogLine[] {
  // The text after the last line break is an incomplete line.
  const completeLines = output.split('\n').slice(0, -1);
  // Only the lines that contain the id are parsed, because the output has thousands of lines.
  const candidates = completeLines.filter((line) => line.startsWith('{') && line.includes(requestId));
  return candidates.map((line) => JSON.parse(line) as LogLine).filter(({ request_id: id }) => id === requestId);
}
