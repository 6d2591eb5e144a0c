import { buildEngineEnvironment } from '../../../../infra/local/engine-client.ts';
import { declareBatchContract } from '../../../../lib/contracts/declare-batch.ts';
import { bundleReplay } from '../bundles.ts';
import { seedCallers } from '../data/callers.ts';
import { importSupplier, buildInvoiceId } from '../data/import-supplier.ts';
import { computeMedian, computeRatio, measureInTurns, withEngine, withProxy } from '../measure.ts';
import { withFunctionProcess, withProcess } from '../processes.ts';
import type { Report } from '../report.ts';

const BATCH = 100;
const TURNS = { rounds: 32, warmUp: 8 };

/** Measures a batch of 100 in a warm process, compared with a plain document client that sends the same calls again. */
export function batch(): Promise<Report> {
  return withEngine(async (engine) => {
    const callers = await seedCallers(engine);
    await importSupplier(engine, callers.scope, (TURNS.warmUp + TURNS.rounds + 2) * BATCH);
    let next = 0;
    const buildBatch = () => {
      const declarations = Array.from({ length: BATCH }, (_, item) => ({
        invoice_id: buildInvoiceId(next++),
        amount: 1000 + item / 100,
      }));
      return callers.buildEvent(declareBatchContract, { body: { declarations } });
    };
    const calls: { readonly operation: string; readonly input: object }[] = [];
    await withProxy(engine, (proxy) =>
      withFunctionProcess('declare-batch', proxy.engine.endpoint, async (process) => {
        await process.handle([buildBatch()]);
        proxy.onCall = (operation, input) => void calls.push({ operation, input });
        await process.handle([buildBatch()]);
      }),
    );
    const replayBundle = { file: await bundleReplay(), environment: buildEngineEnvironment(engine.endpoint) };
    return withFunctionProcess('declare-batch', engine.endpoint, (service) =>
      withProcess(replayBundle, async (replay) => {
        await replay.handle([{ calls }]);
        const wallMs: number[] = [];
        const roundTrips: number[] = [];
        const used = await measureInTurns(
          {
            async service() {
              const turn = await service.handle([buildBatch()]);
              wallMs.push(turn.wallMs[0]!);
              roundTrips.push(turn.usages[0]!.roundTrips);
              return turn.cpuMs;
            },
            replay: async () => (await replay.handle([{}])).cpuMs,
          },
          TURNS,
        );
        return {
          name: 'batch',
          title: `A batch of ${BATCH}`,
          measure: 'now',
          rows: [
            { name: 'ms', now: computeMedian(wallMs) },
            { name: 'CPU ms', now: used.service.p50 },
            { name: 'CPU ms of the same calls alone', now: used.replay.p50 },
            { name: 'CPU / the same calls alone', now: computeRatio(used.service, used.replay), required: 1.12 },
            { name: 'round trips', now: computeMedian(roundTrips), required: 3 },
          ],
        };
      }),
    );
  });
}
