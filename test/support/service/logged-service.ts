import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseLogLines } from '../answers/embedded-metrics.ts';
import { startEngine } from '../engine/engine.ts';
import { startEngineProxy } from '../engine/engine-proxy.ts';
import { buildMinimalEnvironment } from '../setup/own-environment.ts';
import { newRequestParts } from './new-request-parts.ts';
import type { AccountOverrides } from '../data/seed.ts';

/** The service in a process of its own, with everything that it writes. */
export type LoggedService = Awaited<ReturnType<typeof startLoggedService>>;

const startFile = fileURLToPath(new URL('../../../infra/local/start/start.ts', import.meta.url));

// The service takes its output for a terminal.
const terminalOptions = ['--import', 'data:text/javascript,process.stdout.isTTY = true'];

/** Starts the deployed bundles as `npm start` does, on an engine behind a proxy; its logs as on a terminal, or not. */
export async function startLoggedService({ onTerminal = false, options = [] as string[] } = {}) {
  const engine = await startEngine();
  const proxy = await startEngineProxy(engine);
  const env = { ...buildMinimalEnvironment(), AWS_ENDPOINT_URL_DYNAMODB: proxy.engine.endpoint, NO_COLOR: '1' };
  const child = spawn(
    process.execPath,
    [...(onTerminal ? terminalOptions : []), startFile, '--empty', '--port', '0', ...options],
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
        throw new Error(`What was waited for did not come:\n${output}`);
      });
    }
  };
  const url = await waitFor(() => /^Ready: (\S+)$/m.exec(output)?.[1]);

  return {
    url,
    engine,
    proxy,
    /** All output so far, of both streams. */
    output: () => output,
    /** The lines that a request has written, once its last one is there. */
    waitForLogLines: (requestId: string) =>
      waitFor(() => {
        const lines = parseLogLines(output).filter(({ request_id: id }) => id === requestId);
        return lines.some(({ message }) => message === 'request') ? lines : undefined;
      }),
    /** The line of a request on a terminal. */
    waitForTerminalLine: (requestId: string) =>
      waitFor(() => new RegExp(`^.* ms req ${requestId.slice(0, 8)}…\\n`, 'm').exec(output)?.[0]),
    /** An account with an invoice, and the parts of the requests that it makes. */
    newParts: (overrides?: AccountOverrides) => newRequestParts(engine, overrides),
    async close() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      await proxy.close();
      await engine.close();
    },
  };
}
