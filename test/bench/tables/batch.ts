import { fileURLToPath } from 'node:url';
import { engineEnvironment } from '../../../infra/local/engine-client.ts';
import { declareBatchContract } from '../../../lib/contracts/declare-batch.ts';
import { startEngine } from '../../support/engine/engine.ts';
import { serviceBundles } from '../bundles/service.ts';
import { type Callers, seedCallers } from '../data/callers.ts';
import { eventOf } from '../data/events.ts';
import { importSupplier, invoiceIdAt } from '../data/import-supplier.ts';
import { mirroredCalls } from '../data/mirrored-calls.ts';
import { measureInTurns } from '../measuring/in-turns.ts';
import { ratioOf } from '../measuring/statistics.ts';
import { startRecorder } from '../processes/recorder.ts';
import { startWarm } from '../processes/warm.ts';
import type { Report } from '../report/report.ts';

const BATCH = 100;
const TURNS = { rounds: 32, warmUp: 6 };
const WANTED = 1.15;
// Long enough that calls which are sent side by side overlap.
const DELAY_MS = 20;

/**
 * How long a batch of 100 takes, beside a bare client that sends the same calls again. Three suppliers with the same
 * data live through the same batches: one is timed, one recorded, one gets what was recorded.
 */
export async function batch(): Promise<Report> {
  const engine = await startEngine();
  const recorder = await startRecorder(engine.endpoint);
  const bundle = (await serviceBundles())['declare-batch'];
  const startAt = (endpoint: string) =>
    startWarm({ ...bundle, environment: { ...bundle.environment, ...engineEnvironment(endpoint) } });
  const processes = {
    timed: await startAt(engine.endpoint),
    recorded: await startAt(recorder.endpoint),
    replaying: await startWarm({
      file: fileURLToPath(new URL('../processes/replay.cjs', import.meta.url)),
      environment: {},
    }),
  };
  try {
    const rounds = TURNS.rounds + TURNS.warmUp;
    const suppliers: Callers[] = [];
    for (let index = 0; index < 3; index++) {
      const callers = await seedCallers(engine, rounds);
      await importSupplier(engine, callers.scope, rounds * BATCH);
      suppliers.push(callers);
    }
    const [timed, recorded, replayed] = suppliers as [Callers, Callers, Callers];
    const ms = await measureInTurns(
      {
        service: async (round) => firstOf((await processes.timed.answer([batchOf(timed, round)])).wallMs),
        replay: async (round) => {
          recorder.take();
          recorder.delayMs = DELAY_MS;
          await processes.recorded.answer([batchOf(recorded, round)]);
          const calls = mirroredCalls(recorder.take(), recorded, replayed, round);
          return firstOf((await processes.replaying.answer([{ endpoint: engine.endpoint, calls }])).wallMs);
        },
      },
      TURNS,
    );
    return {
      name: 'batch',
      title: `A batch of ${BATCH}`,
      columns: ['p50 ms', 'p95 ms'],
      measure: 'time / the same calls',
      rows: [
        {
          name: 'the service',
          cells: [ms.service.p50, ms.service.p95],
          now: ratioOf(ms.service, ms.replay),
          wanted: WANTED,
        },
        { name: 'the same calls by a bare client', cells: [ms.replay.p50, ms.replay.p95], now: 1 },
      ],
    };
  } finally {
    for (const process of Object.values(processes)) await process.close();
    recorder.close();
    await engine.close();
  }
}

function batchOf({ all }: Callers, round: number): object {
  const declarations = Array.from({ length: BATCH }, (_, item) => ({
    invoice_id: invoiceIdAt(round * BATCH + item),
    amount: 1000 + item / 100,
  }));
  return eventOf(declareBatchContract, all[round]?.headers ?? {}, { body: { declarations } }, { base64: true });
}

function firstOf(samples: readonly number[]): number {
  return samples[0] ?? Number.NaN;
}
