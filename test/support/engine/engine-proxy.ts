import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen, LOCAL_HOST } from '../../../infra/local/ports.ts';
import type { TableName } from '../../../infra/routes.ts';
import { createEngineDocumentClient } from '../../../infra/local/engine-client.ts';
import type { TestEngine } from './engine.ts';
import {
  type EngineCall,
  measureLongestChain,
  listTableNames,
  sumUnitsByTable,
  readConsumedUnits,
  readIndexWriteUnits,
} from './engine-calls.ts';
import { createFaults, type EngineResponse, type Fault, respondWithFault } from './engine-faults.ts';
import { createSeededRandom } from '../data/seeded-random.ts';

/** An HTTP proxy in front of the engine that records calls and can inject faults. */
export type EngineProxy = Awaited<ReturnType<typeof startEngineProxy>>;

// Long enough that parallel calls overlap even on a busy machine.
const MEASURING_DELAY_MS = 60;
// Longer than the back-off of any retry in the service.
const IDLE_MS = 1_000;
const MAX_IDLE_WAIT_MS = 30_000;

/** Runs `work` and measures its calls through the proxy. */
export async function measureCalls(proxy: EngineProxy, work: () => Promise<unknown>) {
  proxy.reset();
  proxy.delayMs = MEASURING_DELAY_MS;
  await work();
  proxy.delayMs = 0;
  return { serialRoundTrips: proxy.countSerialRoundTrips(), units: proxy.readUnits() };
}

/** Starts a proxy in front of an engine. The seed selects the calls that faults with a probability affect. */
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
    // The operator commands first check that an engine is running.
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
    const engineResponse = await respondWithFault(fault, input, (changedInput) => callEngine(request, changedInput));
    if (fault?.how === 'lose-response') return void request.socket.destroy();
    if (fault?.how === 'delay-response') await fault.wait();
    const units = readConsumedUnits(operation, engineResponse.body, toTableName);
    const indexWriteUnits = readIndexWriteUnits(operation, engineResponse.body);
    calls.push({ ...call, startMs, endMs: performance.now(), units, indexWriteUnits });
    response
      .writeHead(engineResponse.status, { 'Content-Type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify(engineResponse.body));
  }

  async function callEngine({ headers }: IncomingMessage, input: object): Promise<EngineResponse> {
    const engineResponse = await fetch(engine.endpoint, {
      method: 'POST',
      headers: FORWARDED_HEADERS.map((name): [string, string] => [name, String(headers[name])]),
      body: JSON.stringify({ ...input, ReturnConsumedCapacity: 'INDEXES' }),
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
  const endpoint = `http://${LOCAL_HOST}:${await listen(server, 0)}`;
  const client = createEngineDocumentClient(endpoint);
  const proxy = {
    /** The engine with the address of the proxy. */
    engine: { ...engine, endpoint, client },
    /** The completed calls, in the order of their ends. */
    calls: calls as readonly EngineCall[],
    /** The delay of every call, so that parallel calls overlap. */
    delayMs: 0,
    /** A callback that runs for every call that arrives. */
    onCall: (() => undefined) as (operation: string, input: object) => void,
    /** Counts the serial round trips: the longest chain of recorded calls that do not overlap. */
    countSerialRoundTrips: () => measureLongestChain(calls),
    /** Returns the recorded capacity units of each table. */
    readUnits: () => sumUnitsByTable(calls),
    /** Counts all calls that have arrived, with or without a response. */
    countArrivedCalls: () => arrived,
    /** The number of affected calls for each kind of fault. */
    hits: faults.hits,
    /** Adds a fault for the next calls. Returns a function that removes it. */
    injectFault: (fault: Fault) => faults.add(fault),
    /** Cancels this number of transactions with a conflict. */
    injectConflicts: (times: number) => void faults.add({ how: 'conflict', times }),
    /** Simulates connections that died while they were idle: their next call gets no response and no effect. */
    killConnections() {
      for (const socket of connections) deadConnections.add(socket);
    },
    /** Waits until no call, also no delayed one, has been open for this time. Rejects after a timeout. */
    async waitUntilIdle(forMs = IDLE_MS) {
      const isIdle = () => openCalls === 0 && performance.now() - lastChangeMs > forMs;
      const endMs = performance.now() + MAX_IDLE_WAIT_MS;
      while (!isIdle()) {
        if (performance.now() > endMs) throw new Error(`${openCalls} calls are still open.`);
        await sleep(20);
      }
    },
    /** Removes the recorded calls and all faults. */
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
