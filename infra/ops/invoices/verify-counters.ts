import { verifyCounters } from '../../../lib/admin/counters/verify-counters.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { defineCommand, EXIT, runCommand } from '../command.ts';
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
  .action((tenant, { supplier, repair = false, ...options }) =>
    runCommand(options, async ({ installation, output }) => {
      if (tenant === undefined && supplier !== undefined) {
        throw new OperatorError('--supplier belongs to a tenant: name it.');
      }
      const findings = new CounterFindings(output);
      const suppliers = await verifyCounters(
        installation,
        { tenant, supplier },
        {
          repair,
          reportRows: (...found) => findings.addRows(...found),
          reportMonth: (...found) => findings.addMonth(...found),
        },
      );
      const { invoices, differences, busy } = findings;
      const repaired = differences.filter((difference) => difference.repaired).length;
      output.line(
        `${suppliers} suppliers, ${invoices} invoices counted, ${differences.length} differences, ${repaired} repaired`,
      );
      output.document({ suppliers, invoices, repaired, differences, busy });
      return busy.length > 0 || repaired < differences.length ? EXIT.rejected : EXIT.done;
    }),
  );
