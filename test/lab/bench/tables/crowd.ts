import { createDeclarationLog } from '../../../../lib/tables/declaration-table.ts';
import { sumUnits } from '../../../support/engine/engine-calls.ts';
import { measureCalls } from '../../../support/engine/engine-proxy.ts';
import { createDeclaringCrowd } from '../../../support/data/declaring-crowd.ts';
import { withEngine, withProxy } from '../measure.ts';
import type { Report } from '../report.ts';

const TENANT = 'crowd.example';
const DECLARATIONS = 10;

/** Counts the conflicts of processes that declare at the same time in the log of one tenant. */
export function crowd({ processes }: { readonly processes: number }): Promise<Report> {
  return withEngine((engine) =>
    withProxy(engine, async (proxy) => {
      const declaringCrowd = await createDeclaringCrowd(proxy, TENANT, processes);
      const halves = [
        await declaringCrowd.declareInEach(DECLARATIONS),
        await declaringCrowd.declareInEach(DECLARATIONS),
      ] as const;
      proxy.reset();
      const log = createDeclarationLog(proxy.engine.client, engine.tables.Declarations);
      let latestNumbers: readonly number[] = [];
      const { units } = await measureCalls(proxy, async () => {
        latestNumbers = await log.readLatestNumbers(TENANT);
      });
      const [first, second] = halves.map(({ cancelled, declarations }) => cancelled / declarations);
      return {
        name: 'crowd',
        title: `${processes} processes, ${2 * DECLARATIONS} declarations each`,
        measure: 'count',
        rows: [
          { name: 'cancelled transactions for each declaration, first half', now: first! },
          { name: 'cancelled transactions for each declaration, second half', now: second!, required: 0.05 },
          { name: 'rejected declarations', now: halves.flatMap(({ errors }) => errors).length, required: 0 },
          { name: 'shards in use', now: latestNumbers.filter((number) => number > 0).length },
          { name: 'units to find the new entries of an export', now: sumUnits(units).readUnits },
        ],
      };
    }),
  );
}
