import { changeTolerance } from '../../../lib/admin/tolerances/change-tolerance.ts';
import { defineCommand, dryRunOption, runCommand } from '../command.ts';
import { printResult } from '../directory/print-result.ts';

/** `clear-tolerance`: a supplier or a tenant has no tolerance of its own any more. */
export const clearToleranceCommand = defineCommand('clear-tolerance', {
  summary: "Remove the tolerance of a supplier, so that the tenant's applies, or the global one of the tenant.",
  example: 'clear-tolerance demo.example --supplier 200 --local',
})
  .argument('<tenant>', 'the tenant')
  .option('--supplier <supplier>', 'the supplier whose own it is; the global one unless it is given')
  .addOption(dryRunOption)
  .action((tenant, { supplier, ...options }) =>
    runCommand(options, async ({ installation, output }) => {
      const result = await changeTolerance(installation, { tenant, supplier }, null);
      return printResult(output, result, 'It has no tolerance of its own.');
    }),
  );
