import { declareBatchContract } from '../../../../lib/contracts/declare-batch.ts';
import { seedCallers } from '../data/callers.ts';
import { importSupplier, invoiceIdAt } from '../data/import-supplier.ts';
import { countRoundTrips, medianOf, withEngine } from '../measure.ts';
import { inNewProcess } from '../processes.ts';
import type { Report } from '../report.ts';

const BATCH = 100;
const WARM_UP = 6;
const ROUNDS = 32;

/** Measures a batch of 100 in a warm process: its time, its CPU time, and how often it waits for the engine. */
export function batch(): Promise<Report> {
  return withEngine(async (surroundings) => {
    const { engine, proxy } = surroundings;
    const callers = await seedCallers(engine);
    await importSupplier(engine, callers.scope, (WARM_UP + ROUNDS + 2) * BATCH);
    let next = 0;
    const newBatch = () => {
      const declarations = Array.from({ length: BATCH }, (_, item) => ({
        invoice_id: invoiceIdAt(next++),
        amount: 1000 + item / 100,
      }));
      return callers.eventOf(declareBatchContract, { body: { declarations } });
    };
    const turns = await inNewProcess('declare-batch', engine.endpoint, async (process) => {
      const all = [];
      for (let round = 0; round < WARM_UP + ROUNDS; round++) all.push(await process.answer([newBatch()]));
      return all.slice(WARM_UP);
    });
    const roundTrips = await inNewProcess('declare-batch', proxy.engine.endpoint, async (process) => {
      await process.answer([newBatch()]);
      return countRoundTrips(surroundings, process, newBatch());
    });
    return {
      name: 'batch',
      title: `A batch of ${BATCH}`,
      measure: 'now',
      rows: [
        { name: 'ms', now: medianOf(turns.map(({ wallMs }) => wallMs[0]!)) },
        { name: 'CPU ms', now: medianOf(turns.map(({ cpuMs }) => cpuMs)) },
        { name: 'round trips', now: roundTrips, wanted: 3 },
      ],
    };
  });
}
