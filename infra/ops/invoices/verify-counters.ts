import { type CountersNamed, type Finding, verifyCounters } from '../../../lib/admin/counters/verify-counters.ts';
import { findSuppliers } from '../../../lib/admin/directory/find-suppliers.ts';
import { readTenantNames } from '../../../lib/admin/directory/lists.ts';
import type { AdminPorts } from '../../../lib/composition/admin-ports.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { counted } from '../counted.ts';
import { defineCommand, dryRunOption, EXIT, runCommand, yesOption } from '../command.ts';
import type { Output } from '../output.ts';

/** `verify-counters`: compares rows and day counters with the invoices behind them, and sets right what differs. */
export const verifyCountersCommand = defineCommand('verify-counters', {
  summary:
    'Compare the rows and the day counters behind lists with the invoices; the service may be at work meanwhile.',
  example: 'verify-counters demo.example --repair --local',
})
  .argument('[tenant]', 'the tenant, unless all of them are meant')
  .option('--supplier <supplier>', 'only this supplier of the tenant')
  .option('--repair', 'set right the rows and counters that differ')
  .addOption(dryRunOption)
  .addOption(yesOption)
  .action((tenant, { supplier, repair = false, ...options }) =>
    runCommand(options, async ({ ports, output, confirm, dryRun }) => {
      if (tenant === undefined && supplier !== undefined) {
        throw new OperatorError('--supplier belongs to a tenant: name it.');
      }
      if (dryRun && !repair) throw new OperatorError('--dry-run belongs to --repair: without it nothing is written.');
      const named = { tenant, supplier };
      if (repair) await confirm(() => repairQuestion(ports, named));

      const [differences, busy]: [object[], object[]] = [[], []];
      let repaired = 0;
      const { suppliers, invoices } = await verifyCounters(ports, named, {
        repair: repair && !dryRun,
        report(scope, finding) {
          tell(output, scope, finding);
          if (finding.kind === 'busy') busy.push(toDocument(scope, finding));
          else {
            differences.push(toDocument(scope, finding));
            repaired += finding.repaired ? 1 : 0;
          }
        },
      });
      output.line(
        `${suppliers} suppliers, ${invoices} invoices counted, ${differences.length} differences, ${repaired} repaired`,
      );
      output.document({ suppliers, invoices, repaired, differences, busy });
      const isLeft = !dryRun && repaired < differences.length;
      return busy.length > 0 || isLeft ? EXIT.rejected : EXIT.done;
    }),
  );

async function repairQuestion(
  ports: Pick<AdminPorts, 'records'>,
  { tenant, supplier }: CountersNamed,
): Promise<string> {
  const what = 'Repair the rows and counters of';
  const result = 'Lists and totals then show what the invoices say, and what they showed before is gone.';
  if (tenant === undefined) return `${what} all ${counted((await readTenantNames(ports)).length, 'tenant')}? ${result}`;
  const suppliers = await findSuppliers(ports, tenant, supplier);
  const whose = supplier === undefined ? counted(suppliers.length, 'supplier') : `supplier ${supplier}`;
  return `${what} ${whose} of ${tenant}? ${result}`;
}

function tell(output: Output, { tenant, supplierId }: SupplierScope, finding: Finding): void {
  const text = `supplier ${supplierId} of ${tenant}, ${textOf(finding)}`;
  if (finding.kind === 'busy') output.error(`busy      ${text}`);
  else output.line(`${finding.repaired ? 'repaired' : 'differs '}  ${text}`);
}

function textOf(finding: Finding): string {
  if (finding.kind === 'busy') {
    const what = 'month' in finding ? finding.month : `invoice ${finding.invoiceId}`;
    return `${what}: kept being changed while it was read`;
  }
  if (finding.kind === 'row') {
    return `invoice ${finding.invoiceId}: ${finding.fault} row of ${finding.date} in ${finding.list}`;
  }
  if (finding.kind === 'fingerprint') return `${finding.day}: the fingerprint is not that of its invoices`;
  return `${finding.day} ${finding.state}: ${finding.counted} counted, ${finding.stored} stored`;
}

/** A finding as --json tells it. */
function toDocument({ tenant, supplierId }: SupplierScope, finding: Finding): object {
  const { invoiceId, state, ...others } = { invoiceId: undefined, state: undefined, ...finding };
  return { tenant, supplier_id: supplierId, invoice_id: invoiceId, state_code: state, ...others };
}
