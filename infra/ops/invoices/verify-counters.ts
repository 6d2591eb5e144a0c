import { type CountersNamed, verifyCounters } from '../../../lib/admin/counters/verify-counters.ts';
import { findSuppliers } from '../../../lib/admin/directory/find-suppliers.ts';
import type { Installation } from '../../../lib/admin/installation.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { counted } from '../counted.ts';
import { defineCommand, dryRunOption, EXIT, runCommand, yesOption } from '../command.ts';
import { CounterFindings } from './counter-findings.ts';

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
    runCommand(options, async ({ installation, output, confirm, dryRun }) => {
      if (tenant === undefined && supplier !== undefined) {
        throw new OperatorError('--supplier belongs to a tenant: name it.');
      }
      if (dryRun && !repair) throw new OperatorError('--dry-run belongs to --repair: without it nothing is written.');
      if (repair) await confirm(() => repairQuestion(installation, { tenant, supplier }));
      const findings = new CounterFindings(output);
      const suppliers = await verifyCounters(
        installation,
        { tenant, supplier },
        {
          repair: repair && !dryRun,
          reportRows: (...found) => findings.addRows(...found),
          reportMonth: (...found) => findings.addMonth(...found),
        },
      );
      const { invoices, differences, busy } = findings;
      const repaired = differences.filter((difference) => difference.repaired).length;
      const left = dryRun ? 0 : differences.length - repaired;
      output.line(
        `${suppliers} suppliers, ${invoices} invoices counted, ${differences.length} differences, ${repaired} repaired`,
      );
      output.document({ suppliers, invoices, repaired, differences, busy });
      return busy.length > 0 || left > 0 ? EXIT.rejected : EXIT.done;
    }),
  );

async function repairQuestion(
  { records, lists }: Pick<Installation, 'records' | 'lists'>,
  { tenant, supplier }: CountersNamed,
): Promise<string> {
  const what = 'Repair the rows and counters of';
  const result = 'Lists and totals then show what the invoices say, and what they showed before is gone.';
  if (tenant === undefined) return `${what} all ${counted((await lists.tenants()).length, 'tenant')}? ${result}`;
  const suppliers = await findSuppliers({ records, lists }, tenant, supplier);
  const whose = supplier === undefined ? counted(suppliers.length, 'supplier') : `supplier ${supplier}`;
  return `${what} ${whose} of ${tenant}? ${result}`;
}
