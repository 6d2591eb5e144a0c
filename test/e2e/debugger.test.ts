import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readStack } from '../../infra/local/read-stack.ts';
import { startLoggedService } from '../support/service/logged-service.ts';
import { portalRequests, sendRequest } from '../support/service/portal-requests.ts';
import { readSection } from '../support/guides/readme.ts';
import { useStarted } from '../support/setup/use-started.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const SOURCE = 'lib/endpoints/declare-invoice.ts';
const STATEMENT = 'const declaration = toDeclarationRequest(input);';
const sourceLine = readFileSync(join(root, SOURCE), 'utf8')
  .split('\n')
  .findIndex((line) => line.includes(STATEMENT));
const stack = readStack();
const bundle = join(stack.functions.find(({ name }) => name === 'declare-invoice')!.codeFolder, 'index.js');

/** Finds the position in the bundle, from 0, of the statement in the source. */
function findInBundle(): { lineNumber: number; columnNumber: number } {
  const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
  for (const [lineNumber, text] of readFileSync(bundle, 'utf8').split('\n').entries()) {
    for (let columnNumber = 0; columnNumber < text.length; columnNumber++) {
      const entry = map.findEntry(lineNumber, columnNumber);
      if ('originalSource' in entry && entry.originalSource.endsWith(SOURCE) && entry.originalLine === sourceLine)
        return { lineNumber, columnNumber };
    }
  }
  throw new Error('The bundle does not contain the statement.');
}

interface WorkerEvent {
  readonly method: string;
  readonly params: { readonly callFrames?: readonly { readonly functionName: string }[] };
}

/** Connects to a debugger, and sends commands to the thread of the functions. */
async function connectDebugger(address: string) {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const events: WorkerEvent[] = [];
  const { promise: session, resolve: setSession } = Promise.withResolvers<string>();
  let id = 0;
  const command = (method: string, params: object) => socket.send(JSON.stringify({ id: ++id, method, params }));
  socket.addEventListener('message', ({ data }) => {
    const { method, params } = JSON.parse(String(data));
    if (method === 'NodeWorker.attachedToWorker') setSession(params.sessionId);
    if (method === 'NodeWorker.receivedMessageFromWorker') events.push(JSON.parse(params.message));
  });
  command('NodeWorker.enable', { waitForDebuggerOnStart: false });
  const sessionId = await session;
  return {
    events,
    send: (method: string, params: object = {}) =>
      command('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify({ id: ++id, method, params }) }),
    close: () => socket.close(),
  };
}

const breakpoint = findInBundle();

describe('npm start --inspect', () => {
  const service = useStarted(() => startLoggedService({ options: ['--inspect=0'] }));

  it('stops at a breakpoint in the source of an endpoint, and responds after the debugger resumes', async () => {
    const [address = ''] = /ws:\S+/.exec(service.output()) ?? [];
    const inspector = await connectDebugger(address);
    inspector.send('Debugger.enable');
    inspector.send('Debugger.setBreakpointByUrl', { url: pathToFileURL(bundle).href, ...breakpoint });
    const response = sendRequest(service.url, portalRequests['declare-invoice'](await service.newParts()));
    const findStop = () => inspector.events.find(({ method }) => method === 'Debugger.paused');
    await expect.poll(() => findStop()?.params.callFrames?.[0]?.functionName, { timeout: 20_000 }).toBe('respond');
    inspector.send('Debugger.resume');
    expect(await response).toMatchObject({ status: 200 });
    inspector.close();
  });

  it('logs an unexpected error with the files and lines of the sources', async () => {
    service.proxy.injectFault({ table: 'Invoices', how: 'error' });
    const { requestId } = await sendRequest(service.url, portalRequests['get-invoice'](await service.newParts()));
    const [line] = await service.waitForLogLines(requestId);
    expect(line).toMatchObject({ error: { stack: expect.stringMatching(/\/lib\/tables\/[\w/-]+\.ts:\d+:\d+/) } });
  });
});

it('the command of the guide prints the file and the line of a position in a bundle', () => {
  const [, program = ''] = /node -p '(.+?)'/s.exec(readSection('lib/README.md', 'Debug')) ?? [];
  const { lineNumber, columnNumber } = breakpoint;
  const position = [`${lineNumber + 1}`, `${columnNumber + 1}`];
  const { stdout } = spawnSync(process.execPath, ['-p', program, 'declare-invoice', ...position], { encoding: 'utf8' });
  expect(stdout).toContain(SOURCE);
  expect(stdout).toContain(`originalLine: ${sourceLine},`);
});
