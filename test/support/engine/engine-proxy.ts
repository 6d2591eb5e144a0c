import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen, localHost } from '../../../infra/local/ports.ts';
import type { TableName } from '../../../infra/routes.ts';
import { engineDocumentClient } from '../../../infra/local/engine-client.ts';
import type { TestEngine } from './engine.ts';
import {
  type EngineCall,
  measureLongestChain,
  listTableNames,
  sumUnitsByTable,
  readConsumedUnits,
} from './engine-calls.ts';
import { createFaults, type EngineResponse, type Fault, respondWithFault } from './engine-faults.ts';
import { createSeededRandom } from '../data/seeded-random.ts';

/** An HTTP proxy in front of the engine that counts what goes through it, and that can fail. */
export type EngineProxy = Awaited<ReturnType<typeof startEngineProxy>>;

// Long enough that calls sent side by side overlap even on a busy machine.
const MEASURING_DELAY_MS = 60;
// Longer than any pause after which the service repeats a call.
const IDLE_MS = 1_000;
const MAX_IDLE_WAIT_MS = 30_000;

/** Measures the calls that some work makes through the proxy. */
export async function measureCalls(proxy: EngineProxy, work: () => Promise<unknown>) {
  proxy.reset();
  proxy.delayMs = MEASURING_DELAY_MS;
  await work();
  proxy.delayMs = 0;
  return { serialRoundTrips: proxy.countSerialRoundTrips(), units: proxy.readUnits() };
}

/** Starts a proxy in front of an engine; the seed decides which calls are hit by faults that hit a share of them. */
export async function startEngineProxy(engine: TestEngine, seed = 1) {
  const tableNames = new Map(Object.entries(engine.tables).map(([name, table]) => [table, name as TableName]));
  const calls: EngineCall[] = [];
  const faults = createFaults(createSeededRandom(seed));
  const connections = new Set<Socket>();
  const deadConnections = new WeakSet<Socket>();
  let arrived = 0;
  let openCalls = 0;
  let lastChangeMs = performance.now();

  function toTableName(table: string): TableName {
    const name = tableNames.get(table);
    if (!name) throw new Error(`The stack has no table ${table}.`);
    return name;
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The command line asks first whether an engine is there.
    if (request.method === 'GET') return void response.end();
    if (deadConnections.has(request.socket)) return void request.socket.destroy();
    arrived++;
    const startMs = performance.now();
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const body = await text(request);
    const input = JSON.parse(body) as object;
    const call = { operation, tables: listTableNames(input).map(toTableName) };
    proxy.onCall(operation, input);
    if (proxy.delayMs > 0) await sleep(proxy.delayMs);

    const fault = faults.drawFault({ ...call, text: body });
    if (fault?.how === 'close-connection') return void request.socket.destroy();
    if (fault?.how === 'delay-request') await fault.wait();
    const engineResponse = await respondWithFault(fault?.how, input, (changedInput) =>
      callEngine(request, changedInput),
    );
    if (fault?.how === 'lose-response') return void request.socket.destroy();
    if (fault?.how === 'delay-response') await fault.wait();
    const units = readConsumedUnits(operation, engineResponse.body, toTableName);
    calls.push({ ...call, startMs, endMs: performance.now(), units });
    response
      .writeHead(engineResponse.status, { 'Content-Type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify(engineResponse.body));
  }

  async function callEngine({ headers }: IncomingMessage, input: object): Promise<EngineResponse> {
    const engineResponse = await fetch(engine.endpoint, {
      method: 'POST',
      headers: FORWARDED_HEADERS.map((name): [string, string] => [name, String(headers[name])]),
      body: JSON.stringify({ ...input, ReturnConsumedCapacity: 'TOTAL' }),
    });
    return { status: engineResponse.status, body: (await engineResponse.json()) as object };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    openCalls++;
    try {
      await respond(request, response);
    } catch (error) {
      request.socket.destroy(error as Error);
    } finally {
      openCalls--;
      lastChangeMs = performance.now();
    }
  }

  const server = createServer((request, response) => void handle(request, response));
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
  });
  const endpoint = `http://${localHost}:${await listen(server, 0)}`;
  const client = engineDocumentClient(endpoint);
  const proxy = {
    /** The engine as it is seen through the proxy. */
    engine: { ...engine, endpoint, client } as TestEngine,
    /** The calls that were answered, in the order of their ends. */
    calls: calls as readonly EngineCall[],
    /** Holds every call for this long, so that calls which are sent side by side overlap. */
    delayMs: 0,
    /** Hears of every call that arrives. */
    onCall: (() => undefined) as (operation: string, input: object) => void,
    /** How often the caller had to wait: the longest chain of recorded calls that do not overlap. */
    countSerialRoundTrips: () => measureLongestChain(calls),
    /** The recorded capacity of each table that was used. */
    readUnits: () => sumUnitsByTable(calls),
    /** How many calls have arrived, answered or not. */
    countArrivedCalls: () => arrived,
    /** How many calls each kind of fault has hit. */
    hits: faults.hits,
    /** Lets the calls that the fault hits fail from now on, until what it returns is called. */
    injectFault: (fault: Fault) => faults.add(fault),
    /** Cancels the next transactions because of another transaction. */
    injectConflicts: (times: number) => void faults.add({ how: 'conflict', times }),
    /** Lets every open connection die as in an idle time: who uses one again gets no answer, the engine hears nothing. */
    killConnections() {
      for (const socket of connections) deadConnections.add(socket);
    },
    /** Waits until no call, held ones included, has been under way for so long; rejects when that does not come. */
    async waitUntilIdle(forMs = IDLE_MS) {
      const isIdle = () => openCalls === 0 && performance.now() - lastChangeMs > forMs;
      const endMs = performance.now() + MAX_IDLE_WAIT_MS;
      while (!isIdle()) {
        if (performance.now() > endMs) throw new Error(`${openCalls} calls are still under way.`);
        await sleep(20);
      }
    },
    /** Forgets the recorded calls and all faults. */
    reset() {
      calls.length = 0;
      arrived = 0;
      faults.clear();
    },
    async close() {
      client.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

const FORWARDED_HEADERS = ['content-type', 'x-amz-target', 'x-amz-date', 'authorization'];
