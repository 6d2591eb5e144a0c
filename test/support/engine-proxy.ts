import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen, localHost } from '../../infra/local/ports.ts';
import type { TableName } from '../../infra/routes.ts';
import { engineDocumentClient } from '../../infra/local/client.ts';
import type { TestEngine } from './engine.ts';
import { type EngineCall, longestChain, tablesIn, totalUnits, type Units, unitsOf } from './engine-calls.ts';
import { type EngineAnswer, type Fault, hits, internalError, transactionConflict } from './engine-faults.ts';

/** An HTTP proxy in front of the engine that counts what goes through it, and that can fail. */
export interface EngineProxy {
  /** The engine as it is seen through the proxy. */
  readonly engine: TestEngine;
  /** The calls that were answered, in the order of their ends. */
  readonly calls: readonly EngineCall[];
  /** Holds every call for this long, so that calls which are sent side by side overlap. */
  delayMs: number;
  /** How often the caller had to wait: the longest chain of recorded calls that do not overlap. */
  serialRoundTrips(): number;
  /** The recorded capacity of each table that was used. */
  consumed(): Partial<Record<TableName, Units>>;
  /** Lets the calls that the fault hits fail from now on. */
  fail(fault: Fault): void;
  /** Cancels the next transactions because of another transaction. */
  conflict(times: number): void;
  /** Forgets the recorded calls and all faults. */
  reset(): void;
  close(): Promise<void>;
}

/** What a piece of work cost. */
export interface Cost {
  readonly serialRoundTrips: number;
  readonly units: Partial<Record<TableName, Units>>;
}

// Long enough that calls sent side by side overlap even on a busy machine.
const MEASURING_DELAY_MS = 60;

/** Measures the calls that some work makes through the proxy. */
export async function costOf(proxy: EngineProxy, work: () => Promise<unknown>): Promise<Cost> {
  proxy.reset();
  proxy.delayMs = MEASURING_DELAY_MS;
  await work();
  proxy.delayMs = 0;
  return { serialRoundTrips: proxy.serialRoundTrips(), units: proxy.consumed() };
}

/** Starts a proxy in front of an engine. */
export async function startEngineProxy(engine: TestEngine): Promise<EngineProxy> {
  const tableNames = new Map(Object.entries(engine.tables).map(([name, table]) => [table, name as TableName]));
  const calls: EngineCall[] = [];
  let faults: Fault[] = [];
  let conflicts = 0;

  function nameOf(table: string): TableName {
    const name = tableNames.get(table);
    if (!name) throw new Error(`The stack has no table ${table}.`);
    return name;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The command line asks first whether an engine is there.
    if (request.method === 'GET') return void response.end();
    const startMs = performance.now();
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const input = JSON.parse((await request.toArray()).join('')) as object;
    const call = { operation, tables: tablesIn(input).map(nameOf) };
    await sleep(proxy.delayMs);

    const fault = faults.find((candidate) => hits(candidate, call));
    if (fault?.how === 'refuse') return void request.socket.destroy();
    const { status, body } = fault ? internalError : await askEngine(request, operation, input);
    calls.push({ ...call, startMs, endMs: performance.now(), units: unitsOf(operation, body, nameOf) });
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
  }

  async function askEngine({ headers }: IncomingMessage, operation: string, input: object): Promise<EngineAnswer> {
    if (operation === 'TransactWriteItems' && conflicts > 0) {
      conflicts--;
      return transactionConflict(input);
    }
    const answered = await fetch(engine.endpoint, {
      method: 'POST',
      headers: forwardedHeaders.map((name): [string, string] => [name, String(headers[name])]),
      body: JSON.stringify({ ...input, ReturnConsumedCapacity: 'INDEXES' }),
    });
    return { status: answered.status, body: (await answered.json()) as object };
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => request.socket.destroy(error));
  });
  const endpoint = `http://${localHost}:${await listen(server, 0)}`;
  const client = engineDocumentClient(endpoint);
  const proxy: EngineProxy = {
    engine: { ...engine, endpoint, client },
    calls,
    delayMs: 0,
    serialRoundTrips: () => longestChain(calls),
    consumed: () => totalUnits(calls),
    fail: (fault) => void faults.push(fault),
    conflict: (times) => void (conflicts = times),
    reset() {
      calls.length = 0;
      faults = [];
      conflicts = 0;
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
