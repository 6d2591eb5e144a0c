import { seedCallers } from '../data/callers.ts';
import { importSupplier } from '../data/import-supplier.ts';
import { withEngine } from '../measure.ts';
import type { Report } from '../report.ts';

const INVOICES = 20_000;

/** Measures an import of new invoices of one supplier. */
export function imports(): Promise<Report> {
  return withEngine(async (engine) => {
    const { scope } = await seedCallers(engine, 1);
    const startMs = performance.now();
    await importSupplier(engine, scope, INVOICES);
    const seconds = (performance.now() - startMs) / 1000;
    return {
      title: `An import of ${INVOICES.toLocaleString('en-US')} new invoices`,
      measure: 'now',
      rows: [
        { name: 'seconds', now: seconds },
        { name: 'invoices a second', now: INVOICES / seconds },
      ],
    };
  });
}
