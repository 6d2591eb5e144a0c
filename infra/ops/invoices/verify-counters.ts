import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { createCounterAudit } from '../../../lib/storage/counter-audit.ts';
import { createDirectoryLists } from '../../../lib/storage/directory-lists.ts';
import { defineCommand, EXIT, runCommand, type Session } from '../command.ts';
import { findSuppliers } from '../../../lib/admin/find-suppliers.ts';
import { inLanes } from '../../../lib/admin/in-lanes.ts';
import { UsageError } from '../../../lib/admin/usage-error.ts';
import { verifyMonth } from '../../../lib/admin/counters/verify-month.ts';

/** A difference as --json tells it. */
interface ReportedDifference {
  readonly tenant: string;
  readonly supplier_id: string;
  readonly day: string;
  readonly state_code: string;
  readonly counted: number;
  readonly stored: number;
  readonly repaired: boolean;
}

const PARALLEL_SUPPLIERS = 4;

/** `verify-counters`: recounts the invoices behind the day counters, and sets right what differs. */
export const verifyCountersCommand = defineCommand('verify-counters', {
  summary: 'Compare the day counters behind lists with the invoices; the service may be at work meanwhile.',
  example: 'verify-counters demo.example --repair --local',
})
  .argument('[tenant]', 'the tenant, unless all of them are meant')
  .option('--supplier <supplier>', 'only this supplier of the tenant')
  .option('--repair', 'set right the counters that differ')
  .action((tenant, { supplier, repair = false, ...options }) =>
    runCommand(options, async (session) => {
      const scopes = await findScopes(session, tenant, supplier);
      const { invoices, differences, busy } = await verifyAll(session, scopes, repair);
      const repaired = differences.filter((difference) => difference.repaired).length;
      session.output.line(
        `${scopes.length} suppliers, ${invoices} invoices counted, ${differences.length} differences, ${repaired} repaired`,
      );
      session.output.document({ suppliers: scopes.length, invoices, repaired, differences, busy });
      return busy.length > 0 || repaired < differences.length ? EXIT.rejected : EXIT.done;
    }),
  );

async function findScopes(session: Session, tenant: string | undefined, supplier: string | undefined) {
  if (tenant === undefined && supplier !== undefined) throw new UsageError('--supplier belongs to a tenant: name it.');
  const tenants =
    tenant === undefined ? await createDirectoryLists(session.client, session.tables.Directory).tenants() : [tenant];
  const scopes: SupplierScope[] = [];
  for (const name of tenants) {
    const suppliers = await findSuppliers(session, name, supplier);
    scopes.push(...suppliers.map(({ supplierId }) => ({ tenant: name, supplierId })));
  }
  return scopes;
}

async function verifyAll({ client, tables, output }: Session, scopes: readonly SupplierScope[], repair: boolean) {
  const audit = createCounterAudit(client, tables.Invoices);
  const differences: ReportedDifference[] = [];
  const busy: { tenant: string; supplier_id: string; month: string }[] = [];
  let invoices = 0;
  await inLanes(scopes, PARALLEL_SUPPLIERS, async (scope) => {
    const { tenant, supplierId } = scope;
    for await (const month of audit.months(scope)) {
      const verdict = await verifyMonth(audit, scope, month, { repair });
      if (verdict === 'busy') {
        busy.push({ tenant, supplier_id: supplierId, month });
        output.fault(
          `busy      supplier ${supplierId} of ${tenant}, ${month}: kept being changed while it was counted`,
        );
        continue;
      }
      const { repaired } = verdict;
      invoices += verdict.invoices;
      for (const { day, state, counted, stored } of verdict.differences) {
        differences.push({ tenant, supplier_id: supplierId, day, state_code: state, counted, stored, repaired });
        const outcome = repaired ? 'repaired' : 'differs';
        output.line(
          `${outcome.padEnd(8)}  supplier ${supplierId} of ${tenant}, ${day} ${state}: ${counted} counted, ${stored} stored`,
        );
      }
    }
  });
  return { invoices, differences, busy };
}
