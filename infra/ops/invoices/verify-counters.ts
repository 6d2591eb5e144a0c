import { type Finding, verifyCounters } from './audit-counters.ts';
import { findSuppliers, readTenantNames } from '../directory/read-directory.ts';
import { OperatorError } from '../errors.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { counted } from '../counted.ts';
import { defineCommand, dryRunOption, EXIT, runCommand, yesOption } from '../command.ts';

/** `verify-counters`: compares rows and day counters with the invoices, and repairs the differences on request. */
export const verifyCountersCommand = defineCommand('verify-counters', {
  summary: 'Compare the data of lists (rows, day counters) with the invoices; the service can be in use meanwhile.',
  example: 'verify-counters demo.example --repair --local',
})
  .argument('[tenant]', 'the tenant (default: all tenants)')
  .option('--supplier <supplier>', 'verify only this supplier of the tenant')
  .option('--repair', 'correct the rows and counters that differ')
  .addOption(dryRunOption)
  .addOption(yesOption)
  .action((tenant, { supplier, repair = false, ...options }) =>
    runCommand(options, async ({ ports, output, confirm, dryRun }) => {
      if (tenant === undefined && supplier !== undefined) {
        throw new OperatorError('--supplier requires a tenant.');
      }
      if (dryRun && !repair) throw new OperatorError('--dry-run requires --repair. Without it, nothing is written.');
      if (repair) await confirm(() => buildQuestion(ports, tenant, supplier));

      const [differences, busy]: [object[], object[]] = [[], []];
      let repaired = 0;
      const { suppliers, invoices } = await verifyCounters(
        ports,
        { tenant, supplier },
        {
          repair: repair && !dryRun,
          report({ tenant: owner, supplierId }, finding) {
            const text = `supplier ${supplierId} of ${owner}, ${describeFinding(finding)}`;
            const document = { tenant: owner, supplier_id: supplierId, ...finding };
            if (finding.kind === 'busy') {
              busy.push(document);
              return output.error(`busy      ${text}`);
            }
            differences.push(document);
            if (finding.repaired) repaired += 1;
            output.line(`${finding.repaired ? 'repaired' : 'differs '}  ${text}`);
          },
        },
      );
      output.line(
        `${suppliers} suppliers, ${invoices} invoices counted, ${differences.length} differences, ${repaired} repaired`,
      );
      output.document({ suppliers, invoices, repaired, differences, busy });
      const hasDifferences = !dryRun && repaired < differences.length;
      return busy.length > 0 || hasDifferences ? EXIT.rejected : EXIT.done;
    }),
  );

async function buildQuestion(ports: AdminPorts, tenant?: string, supplier?: string): Promise<string> {
  const effect = 'Lists and totals are then rebuilt from the invoices; their previous contents are not kept.';
  const describe = (scope: string) => `Repair the rows and counters of ${scope}? ${effect}`;
  if (tenant === undefined) return describe(`all ${counted((await readTenantNames(ports)).length, 'tenant')}`);
  const suppliers = await findSuppliers(ports, tenant, supplier);
  const named = supplier === undefined ? counted(suppliers.length, 'supplier') : `supplier ${supplier}`;
  return describe(`${named} of ${tenant}`);
}

function describeFinding(finding: Finding): string {
  switch (finding.kind) {
    case 'busy': {
      const subject = 'month' in finding ? finding.month : `invoice ${finding.invoice_id}`;
      return `${subject}: not verified, because it changed during every attempt; run the command again`;
    }
    case 'row':
      return `invoice ${finding.invoice_id}: ${finding.fault} row of ${finding.date} in ${finding.list}`;
    case 'fingerprint':
      return `${finding.day}: the fingerprint differs from that of the invoices`;
    case 'counter':
      return `${finding.day} ${finding.state_code}: ${finding.counted} counted, ${finding.stored} stored`;
  }
}
