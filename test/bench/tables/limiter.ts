import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { fileURLToPath } from 'node:url';
import { engineEnvironment } from '../../../infra/local/engine-client.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import { bundle } from '../bundles/esbuild.ts';
import { bundlePeerFile } from '../bundles/peers.ts';
import { measureInTurns } from '../measuring/in-turns.ts';
import { withEngine } from '../measuring/request-cost.ts';
import { quantile } from '../measuring/statistics.ts';
import { type Recorder, roundTripsOf, unitsOf } from '../processes/recorder.ts';
import { startWarm, type WarmProcess } from '../processes/warm.ts';
import type { Report } from '../report/report.ts';

const PEER_TABLE = 'PeerLimiter';
const LIMIT = 30;
const TURNS = { rounds: 40, warmUp: 5 };

/** What a limiter was found to do. */
interface Findings {
  readonly trips: number;
  readonly units: number;
  readonly allowedAtEdge: number;
  readonly refusedAgainMs: number;
}

/** What a decision of the rate limit costs, and how exact it is, beside rate-limiter-flexible. */
export function limiter(): Promise<Report> {
  return withEngine(async ({ engine, recorder }) => {
    await createPeerTable(engine);
    const files = {
      service: await bundle('limiter', {
        entryPoints: [fileURLToPath(new URL('../limiters/service.ts', import.meta.url))],
      }),
      peer: await bundlePeerFile('../limiters/flexible.js'),
    };
    const variables = { RATE_COUNTERS_TABLE: engine.tables.RateCounters, LIMITER_TABLE: PEER_TABLE };
    const startAt = (file: string, endpoint: string) =>
      startWarm({ file, environment: { ...variables, ...engineEnvironment(endpoint) } });

    const service = await findOut(await startAt(files.service, recorder.endpoint), recorder);
    const peer = files.peer && (await findOut(await startAt(files.peer, recorder.endpoint), recorder));
    const ms = await timeDecisions({
      service: await startAt(files.service, engine.endpoint),
      ...(files.peer && { peer: await startAt(files.peer, engine.endpoint) }),
    });
    const row = (name: string, field: keyof Findings, wanted: number) => ({
      name,
      cells: [peer ? peer[field] : ''],
      now: service[field],
      wanted,
    });
    return {
      name: 'limiter',
      title: 'Rate limit',
      columns: ['rate-limiter-flexible'],
      measure: 'the service',
      rows: [
        row('round trips of a decision', 'trips', 1),
        row('units of a decision', 'units', 1),
        { name: 'ms of a decision', cells: [ms['peer'] ?? ''], now: ms['service'] ?? Number.NaN },
        row('ms of one that is refused again', 'refusedAgainMs', 0.1),
        row(`let through in 3 s, ${LIMIT} a minute allowed`, 'allowedAtEdge', LIMIT),
      ],
    };
  });
}

async function createPeerTable({ client }: TestEngine): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: PEER_TABLE,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'key', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'key', KeyType: 'HASH' }],
    }),
  );
}

async function findOut(process: WarmProcess, recorder: Recorder): Promise<Findings> {
  const nowMs = Date.now();
  const ask = (subject: string, atMs: number) => process.answer([{ subject, nowMs: nowMs + atMs }]);
  await ask('cost', 0);
  recorder.take();
  await ask('cost', 1_000);
  const calls = recorder.take();
  const cost = { trips: roundTripsOf(calls), units: unitsOf(calls) };

  // One request opens a window that is fixed. The rest of its limit comes at its end, and as many right after it.
  await ask('edge', 0);
  let allowedAtEdge = 0;
  for (const atMs of [58_500, 61_000]) {
    for (let index = 0; index < LIMIT + 5; index++) {
      if ((await ask('edge', atMs + index)).body === 'allowed') allowedAtEdge++;
    }
  }
  const refused = Array.from({ length: 200 }, () => ({ subject: 'edge', nowMs: nowMs + 61_100 }));
  const { wallMs, body } = await process.answer(refused);
  if (body !== 'refused') throw new Error('A limiter that should refuse does not.');
  await process.close();
  return { ...cost, allowedAtEdge, refusedAgainMs: quantile(wallMs, 0.5) };
}

async function timeDecisions(processes: Readonly<Record<string, WarmProcess>>): Promise<Record<string, number>> {
  // The first requests of a subject are not timed: a window that is opened costs less.
  const turnOf = (process: WarmProcess) => async (round: number) => {
    const events = Array.from({ length: LIMIT - 5 }, () => ({ subject: `turn ${round}`, nowMs: Date.now() }));
    return quantile((await process.answer(events)).wallMs.slice(5), 0.5);
  };
  const turns = Object.entries(processes).map(([name, process]) => [name, turnOf(process)] as const);
  const timings = await measureInTurns(Object.fromEntries(turns), TURNS);
  for (const process of Object.values(processes)) await process.close();
  return Object.fromEntries(Object.entries(timings).map(([name, { p50 }]) => [name, p50]));
}
