import { fileURLToPath } from 'node:url';
import { declareBatchContract } from '../../../../lib/contracts/declare-batch.ts';
import { buildProxyEvent } from '../../../support/service/proxy-event.ts';
import { inNewProcess } from '../bundles/service.ts';
import { type Callers, seedCallers } from '../data/callers.ts';
import { importSupplier, invoiceIdAt } from '../data/import-supplier.ts';
import { mirrorCalls } from '../data/mirrored-calls.ts';
import { measureInTurns } from '../measuring/in-turns.ts';
import { type Surroundings, withEngine } from '../measuring/request-cost.ts';
import { ratioOf } from '../measuring/statistics.ts';
import { startWarm, type WarmProcess } from '../processes/warm.ts';
import type { Report } from '../report/report.ts';

const BATCH = 100;
const TURNS = { rounds: 32, warmUp: 6 };
const WANTED = 1.15;
// Long enough that calls which are sent side by side overlap.
const DELAY_MS = 20;

const replayScript = fileURLToPath(new URL('../processes/replay.cjs', import.meta.url));

/**
 * How long a batch of 100 takes, beside a bare client that sends the same calls again. Three suppliers with the same
 * data live through the same batches: one is timed, one recorded, one gets what was recorded.
 */
export function batch(): Promise<Report> {
  return withEngine((surroundings) =>
    inNewProcess('declare-batch', surroundings.engine.endpoint, (timed) =>
      inNewProcess('declare-batch', surroundings.proxy.engine.endpoint, (recorded) =>
        compare(surroundings, { timed, recorded }),
      ),
    ),
  );
}

async function compare(
  { engine, proxy }: Surroundings,
  processes: Readonly<Record<'timed' | 'recorded', WarmProcess>>,
): Promise<Report> {
  const rounds = TURNS.rounds + TURNS.warmUp;
  const suppliers: Callers[] = [];
  for (let index = 0; index < 3; index++) {
    const callers = await seedCallers(engine, rounds);
    await importSupplier(engine, callers.scope, rounds * BATCH);
    suppliers.push(callers);
  }
  const [timed, recorded, replayed] = suppliers as [Callers, Callers, Callers];
  const replaying = await startWarm({ file: replayScript, environment: {} });
  try {
    const ms = await measureInTurns(
      {
        service: async (round) => firstOf((await processes.timed.answer([batchOf(timed, round)])).wallMs),
        replay: async (round) => {
          proxy.reset();
          proxy.delayMs = DELAY_MS;
          await processes.recorded.answer([batchOf(recorded, round)]);
          const calls = mirrorCalls(proxy.calls, recorded, replayed, round);
          return firstOf((await replaying.answer([{ endpoint: engine.endpoint, calls }])).wallMs);
        },
      },
      TURNS,
    );
    const now = ratioOf(ms.service, ms.replay);
    return {
      name: 'batch',
      title: `A batch of ${BATCH}`,
      columns: ['p50 ms', 'p95 ms'],
      measure: 'time / the same calls',
      rows: [
        { name: 'the service', cells: [ms.service.p50, ms.service.p95], now, wanted: WANTED },
        { name: 'the same calls by a bare client', cells: [ms.replay.p50, ms.replay.p95], now: 1 },
      ],
    };
  } finally {
    await replaying.close();
  }
}

function batchOf({ all }: Callers, round: number): object {
  const declarations = Array.from({ length: BATCH }, (_, item) => ({
    invoice_id: invoiceIdAt(round * BATCH + item),
    amount: 1000 + item / 100,
  }));
  return buildProxyEvent(declareBatchContract, { headers: all[round]?.headers ?? {}, body: { declarations } });
}

function firstOf(samples: readonly number[]): number {
  return samples[0] ?? Number.NaN;
}
