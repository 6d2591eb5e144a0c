import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createEngineDocumentClient } from '../../../infra/local/engine-client.ts';
import { findFreePort, LOCAL_HOST } from '../../../infra/local/ports.ts';
import { readStack } from '../../../infra/local/read-stack.ts';
import { readOptions, parseWholeNumber } from '../../../infra/process/read-options.ts';
import { print } from '../../../infra/process/terminal.ts';
import { type Load, startLoad } from './load.ts';
import { readProcessTree } from '../../support/processes/process-tree.ts';

const SAMPLES_PER_MINUTE = 2;
// A leak of 1.5 kB per request exceeds it at 100 requests per second. The garbage collector causes less than a third.
const MAX_GROWTH = 0.15;

const MEGABYTE = 1024 * 1024;
/** The minute by which every thread has collected its garbage for the first time. */
const WARM_MINUTE = 3;
/** The period over which the effects of the garbage collector average out. */
const WINDOW_MINUTES = 2;
/** The minimum number of minutes in which growth can be measured. */
const MIN_MINUTES = WARM_MINUTE + 2 * WINDOW_MINUTES;

const usage = `Usage: npm run suite -- soak [--clients N] [--minutes M]

Sends requests to npm start, prints its memory every half minute, and ends with 1 if it has grown.

  --clients N  the number of parallel clients (default: 64)
  --minutes M  the duration (default: 15, at least ${MIN_MINUTES})

More: test/README.md`;

const { clients, minutes } = readOptions(
  usage,
  { clients: { type: 'string', default: '64' }, minutes: { type: 'string', default: '15' } },
  (texts) => {
    const values = { clients: parseWholeNumber('--clients', texts.clients), minutes: Number(texts.minutes) };
    if (values.minutes >= MIN_MINUTES) return values;
    throw new Error(`--minutes must be at least ${MIN_MINUTES}, because growth cannot be measured earlier.`);
  },
);

const enginePort = await findFreePort();
const script = fileURLToPath(new URL('../../../infra/local/start/start.ts', import.meta.url));
const options = ['--empty', '--quiet', '--port', '0', '--dynamodb-port', String(enginePort)];
const service = spawn(process.execPath, [script, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
process.once('exit', () => service.kill());
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));

const load = await startLoad(await readAddress(service.stdout), connectEngine(), clients);
const growth = computeGrowth(await measureMemory(load));
await load.stop();
const succeeded = (load.responses.get(200) ?? 0) / [...load.responses.values()].reduce((sum, count) => sum + count);
print(
  `The service grew by ${(growth * 100).toFixed(1)} % after minute 3; ${(succeeded * 100).toFixed(1)} % of the responses were 200.`,
);
// If half of the requests are rejected, or no response arrives, the load was too small.
process.exit(growth <= MAX_GROWTH && succeeded > 0.5 ? 0 : 1);

async function readAddress(output: Readable): Promise<string> {
  for await (const line of createInterface(output)) if (line.startsWith('Ready: ')) return line.replace('Ready: ', '');
  throw new Error('The service has not started.');
}

function connectEngine() {
  const endpoint = `http://${LOCAL_HOST}:${enginePort}`;
  return {
    endpoint,
    tables: readStack().tableNames,
    client: createEngineDocumentClient(endpoint),
    close: async () => {},
  };
}

async function measureMemory({ responses }: Load): Promise<MemorySample[]> {
  const samples: MemorySample[] = [];
  const startedMs = performance.now();
  for (let index = 1; index <= minutes * SAMPLES_PER_MINUTE; index++) {
    const minute = index / SAMPLES_PER_MINUTE;
    await sleep(startedMs + minute * 60_000 - performance.now());
    const sample = await sampleMemory(service.pid ?? 0, minute);
    samples.push(sample);
    const counts = [...responses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${count} of ${status}`);
    print(
      `minute ${minute}: service ${sample.service} MB, engine ${sample.engine} MB; responses: ${counts.join(', ')}`,
    );
  }
  return samples;
}

/** The resident memory in megabytes, of the service and of its engine, which contains the data. */
interface MemorySample {
  readonly minute: number;
  readonly service: number;
  readonly engine: number;
}

/** Measures the process of `npm start` and the processes that it has started. */
async function sampleMemory(serviceId: number, minute: number): Promise<MemorySample> {
  const [main, supervisor, engine] = await readProcessTree(serviceId);
  if (!main || !supervisor || !engine) throw new Error('The service has ended.');
  return {
    minute,
    service: Math.round((main.residentBytes + supervisor.residentBytes) / MEGABYTE),
    engine: Math.round(engine.residentBytes / MEGABYTE),
  };
}

/** Computes the growth since the service was warm, from the medians around minute 3 and of the last minutes. */
function computeGrowth(samples: readonly MemorySample[]): number {
  const last = Math.max(...samples.map(({ minute }) => minute));
  const computeMedianUntil = (end: number) => {
    const inside = samples.filter(({ minute }) => minute > end - WINDOW_MINUTES && minute <= end);
    const sorted = inside.map((sample) => sample.service).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  return computeMedianUntil(last) / computeMedianUntil(WARM_MINUTE + WINDOW_MINUTES / 2) - 1;
}
