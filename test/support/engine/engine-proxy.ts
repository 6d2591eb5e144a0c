import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen, localHost } from '../../../infra/local/ports.ts';
import type { TableName } from '../../../infra/routes.ts';
import { createEngineDocumentClient } from '../../../infra/local/engine-client.ts';
import type { TestEngine } from './engine.ts';
import { type EngineCall, longestChain, tablesIn, totalUnits, unitsOf } from './engine-calls.ts';
import { createFaults, type EngineAnswer, type Fault, faultyAnswer } from './engine-faults.ts';
import { seededRandom } from '../data/seeded-random.ts';

/** An HTTP proxy in front of the engine that counts what goes through it, and that can fail. */
export type EngineProxy = Awaited<ReturnType<typeof startEngineProxy>>;

// Long enough that calls sent side by side overlap even on a busy machine.
const MEASURING_DELAY_MS = 60;
// Longer than any pause after which the service repeats a call.
const IDLE_MS = 1_000;
const MAX_IDLE_WAIT_MS = 30_000;

/** Measures the calls that some work makes through the proxy. */
export async function costOf(proxy: EngineProxy, work: () => Promise<unknown>) {
  proxy.reset();
  proxy.delayMs = MEASURING_DELAY_MS;
  await work();
  proxy.delayMs = 0;
  return { serialRoundTrips: proxy.serialRoundTrips(), units: proxy.consumed() };
}

/** Starts a proxy in front of an engine; the seed decides which calls are hit by faults that hit a share of them. */
export async function startEngineProxy(engine: TestEngine, seed = 1) {
  const tableNames = new Map(Object.entries(engine.tables).map(([name, table]) => [table, name as TableName]));
  const calls: EngineCall[] = [];
  const faults = createFaults(seededRandom(seed));
  const connections = new Set<Socket>();
  const dead = new WeakSet<Socket>();
  let arrived = 0;
  let underWay = 0;
  let lastChangeMs = performance.now();

  function nameOf(table: string): TableName {
    const name = tableNames.get(table);
    if (!name) throw new Error(`The stack has no table ${table}.`);
    return name;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The command line asks first whether an engine is there.
    if (request.method === 'GET') return void response.end();
    if (dead.has(request.socket)) return void request.socket.destroy();
    arrived++;
    const startMs = performance.now();
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const body = await text(request);
    const input = JSON.parse(body) as object;
    const call = { operation, tables: tablesIn(input).map(nameOf) };
    proxy.watch(operation, input);
    if (proxy.delayMs > 0) await sleep(proxy.delayMs);

    const fault = faults.hit({ ...call, text: body });
    if (fault?.how === 'refuse') return void request.socket.destroy();
    if (fault?.how === 'deliver-late') await fault.wait();
    const answered = await faultyAnswer(fault?.how, input, (asked) => askEngine(request, asked));
    if (fault?.how === 'lose-answer') return void request.socket.destroy();
    if (fault?.how === 'answer-late') await fault.wait();
    const units = unitsOf(operation, answered.body, nameOf);
    calls.push({ ...call, startMs, endMs: performance.now(), units });
    response
      .writeHead(answered.status, { 'Content-Type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify(answered.body));
  }

  async function askEngine({ headers }: IncomingMessage, input: object): Promise<EngineAnswer> {
    const answered = await fetch(engine.endpoint, {
      method: 'POST',
      headers: forwardedHeaders.map((name): [string, string] => [name, String(headers[name])]),
      body: JSON.stringify({ ...input, ReturnConsumedCapacity: 'TOTAL' }),
    });
    return { status: answered.status, body: (await answered.json()) as object };
  }

  async function watched(request: IncomingMessage, response: ServerResponse): Promise<void> {
    underWay++;
    try {
      await answer(request, response);
    } catch (error) {
      request.socket.destroy(error as Error);
    } finally {
      underWay--;
      lastChangeMs = performance.now();
    }
  }

  const server = createServer((request, response) => void watched(request, response));
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
  });
  const endpoint = `http://${localHost}:${await listen(server, 0)}`;
  const client = createEngineDocumentClient(endpoint);
  const proxy = {
    /** The engine as it is seen through the proxy. */
    engine: { ...engine, endpoint, client } as TestEngine,
    /** The calls that were answered, in the order of their ends. */
    calls: calls as readonly EngineCall[],
    /** Holds every call for this long, so that calls which are sent side by side overlap. */
    delayMs: 0,
    /** Hears of every call that arrives. */
    watch: (() => undefined) as (operation: string, input: object) => void,
    /** How often the caller had to wait: the longest chain of recorded calls that do not overlap. */
    serialRoundTrips: () => longestChain(calls),
    /** The recorded capacity of each table that was used. */
    consumed: () => totalUnits(calls),
    /** How many calls have arrived, answered or not. */
    arrived: () => arrived,
    /** How many calls each kind of fault has hit. */
    hits: faults.hits,
    /** Lets the calls that the fault hits fail from now on, until what it returns is called. */
    fail: (fault: Fault) => faults.add(fault),
    /** Cancels the next transactions because of another transaction. */
    conflict: (times: number) => void faults.add({ how: 'conflict', times }),
    /** Lets every open connection die as in an idle time: who uses one again gets no answer, the engine hears nothing. */
    killConnections() {
      for (const socket of connections) dead.add(socket);
    },
    /** Waits until no call, held ones included, has been under way for so long; rejects when that does not come. */
    async untilIdle(forMs = IDLE_MS) {
      const isIdle = () => underWay === 0 && performance.now() - lastChangeMs > forMs;
      const endMs = performance.now() + MAX_IDLE_WAIT_MS;
      while (!isIdle()) {
        if (performance.now() > endMs) throw new Error(`${underWay} calls are still under way.`);
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

const forwardedHeaders = ['content-type', 'x-amz-target', 'x-amz-date', 'authorization'];
