import { startEngine } from '../../support/engine/engine.ts';
import { forgetIndexes, seedListed } from '../data/listed-supplier.ts';
import { startRecorder } from '../processes/recorder.ts';
import type { Report } from '../report/report.ts';
import { listPages } from './list-pages.ts';
import { searches } from './searches.ts';

/** What lists and searches cost, of 10,000 and of 100,000 invoices in the range. */
export async function lists(): Promise<Report[]> {
  const engine = await startEngine();
  const recorder = await startRecorder(engine.endpoint);
  const surroundings = { engine, recorder };
  try {
    const few = await seedListed(engine, 10_000);
    const many = await seedListed(engine, 100_000);
    // Each begins as if nobody had read anything yet.
    const pages = await listPages(surroundings, many);
    await forgetIndexes(engine);
    return [
      pages,
      await searches(surroundings, few, { warmMs: 20 }),
      await searches(surroundings, many, { warmMs: 60 }),
    ];
  } finally {
    recorder.close();
    await engine.close();
  }
}
