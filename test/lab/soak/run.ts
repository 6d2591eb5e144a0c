import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createEngineDocumentClient } from '../../../infra/local/engine-client.ts';
import { findPort, localHost } from '../../../infra/local/ports.ts';
import { readStack } from '../../../infra/local/read-stack.ts';
import { readOptions, parseWholeNumber } from '../../../infra/process/read-options.ts';
import { print } from '../../../infra/process/terminal.ts';
import { type Load, startLoad } from './load.ts';
import { processTree } from '../../support/processes/process-tree.ts';

const SAMPLES_PER_MINUTE = 2;
// A leak of 1.5 kB a request shows at 100 requests a second; the collector's ups and downs are less than a third of it.
const MOST_GROWTH = 0.15;

const MEGABYTE = 1024 * 1024;
/** By then every thread has collected its garbage for the first time. */
const WARM_MINUTE = 3;
/** Over so many minutes the ups and downs of the collector even out. */
const WINDOW_MINUTES = 2;
/** The least number of minutes after which growth can be told. */
const LEAST_MINUTES = WARM_MINUTE + 2 * WINDOW_MINUTES;

const usage = `Usage: npm run test:extra -- soak [--clients N] [--minutes M]

Keeps npm start busy, prints its memory each half minute, and ends with 1 when it has grown.

  --clients N  how many clients call it at once (64)
  --minutes M  how long (15); at least ${LEAST_MINUTES}

More: test/README.md`;

const { clients, minutes } = readOptions(
  usage,
  { clients: { type: 'string', default: '64' }, minutes: { type: 'string', default: '15' } },
  (values) => {
    const asked = { clients: parseWholeNumber('--clients', values.clients), minutes: Number(values.minutes) };
    if (asked.minutes >= LEAST_MINUTES) return asked;
    throw new Error(`Growth can be told after ${LEAST_MINUTES} minutes at the least.`);
  },
);

const enginePort = await findPort(0);
const script = fileURLToPath(new URL('../../../infra/local/start/start.ts', import.meta.url));
const options = ['--empty', '--quiet', '--port', '0', '--dynamodb-port', String(enginePort)];
const service = spawn(process.execPath, [script, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
process.once('exit', () => service.kill());
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));

const load = await startLoad(await addressOf(service.stdout), seededEngine(), clients);
const growth = growthOf(await measure(load));
await load.stop();
const succeeded = (load.answers.get(200) ?? 0) / [...load.answers.values()].reduce((sum, count) => sum + count);
print(
  `The service grew by ${(growth * 100).toFixed(1)} % after minute 3; ${(succeeded * 100).toFixed(1)} % of the answers were 200.`,
);
// Half of the answers refused, or none at all, would be no load.
process.exit(growth <= MOST_GROWTH && succeeded > 0.5 ? 0 : 1);

async function addressOf(output: Readable): Promise<string> {
  for await (const line of createInterface(output)) if (line.startsWith('Ready: ')) return line.replace('Ready: ', '');
  throw new Error('The service has not started.');
}

function seededEngine() {
  const endpoint = `http://${localHost}:${enginePort}`;
  return {
    endpoint,
    tables: readStack().tableNames,
    client: createEngineDocumentClient(endpoint),
    close: async () => {},
  };
}

async function measure({ answers }: Load): Promise<MemorySample[]> {
  const samples: MemorySample[] = [];
  const startedMs = performance.now();
  for (let taken = 1; taken <= minutes * SAMPLES_PER_MINUTE; taken++) {
    const minute = taken / SAMPLES_PER_MINUTE;
    await sleep(startedMs + minute * 60_000 - performance.now());
    const sample = await sampleMemory(service.pid ?? 0, minute);
    samples.push(sample);
    const counts = [...answers].toSorted(([a], [b]) => a - b).map(([status, count]) => `${count} of ${status}`);
    print(`minute ${minute}: service ${sample.service} MB, engine ${sample.engine} MB; answers: ${counts.join(', ')}`);
  }
  return samples;
}

/** The resident memory in megabytes: that of the service without, and that of its engine with the data. */
interface MemorySample {
  readonly minute: number;
  readonly service: number;
  readonly engine: number;
}

/** Measures the process of `npm start` and those that it has started. */
async function sampleMemory(serviceId: number, minute: number): Promise<MemorySample> {
  const [main, supervisor, engine] = await processTree(serviceId);
  if (!main || !supervisor || !engine) throw new Error('The service has ended.');
  return {
    minute,
    service: Math.round((main.residentBytes + supervisor.residentBytes) / MEGABYTE),
    engine: Math.round(engine.residentBytes / MEGABYTE),
  };
}

/** Computes the growth since the service was warm: the median of the last minutes against that around minute 3. */
function growthOf(samples: readonly MemorySample[]): number {
  const last = Math.max(...samples.map(({ minute }) => minute));
  const medianUpTo = (end: number) => {
    const inside = samples.filter(({ minute }) => minute > end - WINDOW_MINUTES && minute <= end);
    const sorted = inside.map((sample) => sample.service).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  return medianUpTo(last) / medianUpTo(WARM_MINUTE + WINDOW_MINUTES / 2) - 1;
}
