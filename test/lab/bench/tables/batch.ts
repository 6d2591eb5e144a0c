import { declareBatchContract } from '../../../../lib/contracts/declare-batch.ts';
import { seedCallers } from '../data/callers.ts';
import { importSupplier, buildInvoiceId } from '../data/import-supplier.ts';
import { countRoundTrips, computeMedian, withEngine } from '../measure.ts';
import { withFunctionProcess } from '../processes.ts';
import type { Report } from '../report.ts';

const BATCH = 100;
const WARM_UP = 6;
const ROUNDS = 32;

/** Measures the time, the CPU time and the round trips of a batch of 100 in a warm process. */
export function batch(): Promise<Report> {
  return withEngine(async (surroundings) => {
    const { engine, proxy } = surroundings;
    const callers = await seedCallers(engine);
    await importSupplier(engine, callers.scope, (WARM_UP + ROUNDS + 2) * BATCH);
    let next = 0;
    const buildBatch = () => {
      const declarations = Array.from({ length: BATCH }, (_, item) => ({
        invoice_id: buildInvoiceId(next++),
        amount: 1000 + item / 100,
      }));
      return callers.buildEvent(declareBatchContract, { body: { declarations } });
    };
    const turns = await withFunctionProcess('declare-batch', engine.endpoint, async (process) => {
      const all = [];
      for (let round = 0; round < WARM_UP + ROUNDS; round++) all.push(await process.handle([buildBatch()]));
      return all.slice(WARM_UP);
    });
    const roundTrips = await withFunctionProcess('declare-batch', proxy.engine.endpoint, async (process) => {
      await process.handle([buildBatch()]);
      return countRoundTrips(surroundings, process, buildBatch());
    });
    return {
      name: 'batch',
      title: `A batch of ${BATCH}`,
      measure: 'now',
      rows: [
        { name: 'ms', now: computeMedian(turns.map(({ wallMs }) => wallMs[0]!)) },
        { name: 'CPU ms', now: computeMedian(turns.map(({ cpuMs }) => cpuMs)) },
        { name: 'round trips', now: roundTrips, required: 3 },
      ],
    };
  });
}
