import { Agent, createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen, localHost } from '../../../infra/local/ports.ts';

/** A call to the engine as it was sent, when it was under way (in milliseconds), and what it was charged. */
export interface RecordedCall {
  readonly operation: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly units: readonly { readonly table: string; readonly units: number }[];
}

interface Consumed {
  readonly TableName: string;
  readonly CapacityUnits: number;
}

/** A door to an engine that keeps every call until it is asked for them. */
export interface Recorder {
  readonly endpoint: string;
  /** Holds every call for this long, so that calls which are sent side by side overlap. */
  delayMs: number;
  /** The calls since the last time, in the order of their ends. */
  take(): RecordedCall[];
  close(): void;
}

// Answers can be megabytes: they are not parsed for this.
const CONSUMED = /"ConsumedCapacity":(\{[^{}]*\}|\[[^[\]]*\])/;

/** Opens a door that asks the engine for the price of every call, whoever makes it. */
export async function startRecorder(engine: string): Promise<Recorder> {
  const agent = new Agent({ keepAlive: true });
  let calls: RecordedCall[] = [];

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const startMs = performance.now();
    const body = askingForPrice(await text(incoming));
    if (recorder.delayMs > 0) await new Promise((resolve) => void setTimeout(resolve, recorder.delayMs));
    const headers = headersOf(incoming, body);
    const outgoing = send(engine, { method: 'POST', agent, headers });
    outgoing.end(body);
    const answered = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve).on('error', reject);
    });
    const json = await text(answered);
    const operation = String(headers['x-amz-target']).split('.')[1] ?? '';
    calls.push({ operation, headers, body, startMs, endMs: performance.now(), units: unitsIn(body, json) });
    response.writeHead(answered.statusCode ?? 500, { 'Content-Type': 'application/x-amz-json-1.0' }).end(json);
  }

  const server = createServer((incoming, response) => void answer(incoming, response).catch(() => response.destroy()));
  const recorder: Recorder = {
    endpoint: `http://${localHost}:${await listen(server, 0)}`,
    delayMs: 0,
    take() {
      const taken = calls;
      calls = [];
      return taken;
    },
    close() {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
  return recorder;
}

/** How often the caller had to wait: the longest chain of calls of which each began after the one before had ended. */
export function roundTripsOf(calls: readonly RecordedCall[]): number {
  let trips = 0;
  let endMs = Number.NEGATIVE_INFINITY;
  for (const call of calls.toSorted((a, b) => a.endMs - b.endMs)) {
    if (call.startMs < endMs) continue;
    trips++;
    endMs = call.endMs;
  }
  return trips;
}

/** The units of calls, but for those on tables that `without` names. */
export function unitsOf(calls: readonly RecordedCall[], without: readonly string[] = []): number {
  const charged = calls.flatMap(({ units }) => units).filter(({ table }) => !without.includes(table));
  return charged.reduce((sum, { units }) => sum + units, 0);
}

function askingForPrice(body: string): string {
  return body.includes('"ReturnConsumedCapacity"') ? body : `{"ReturnConsumedCapacity":"TOTAL",${body.slice(1)}`;
}

function headersOf({ headers }: IncomingMessage, body: string): Record<string, string> {
  const passed = Object.entries(headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name));
  const length = String(Buffer.byteLength(body));
  return { ...(Object.fromEntries(passed) as Record<string, string>), 'content-length': length };
}

/** A write whose condition fails is charged like one that is done, but its answer does not say so. */
function unitsIn(body: string, answer: string): RecordedCall['units'] {
  if (answer.includes('ConditionalCheckFailedException')) {
    return [{ table: (JSON.parse(body) as { TableName: string }).TableName, units: 1 }];
  }
  const [, json = '[]'] = CONSUMED.exec(answer) ?? [];
  const consumed = JSON.parse(json) as Consumed | Consumed[];
  return [consumed].flat().map(({ TableName: table, CapacityUnits: units }) => ({ table, units }));
}
