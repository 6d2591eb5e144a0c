import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { changeTolerance } from '../../../lib/admin/tolerances/change-tolerance.ts';
import { defineCommand, dryRunOption, runCommand } from '../command.ts';
import { printResult } from '../directory/print-result.ts';
import { readTolerance, toleranceOptions } from './tolerance-options.ts';

/** `set-tolerance`: configures the tolerance of a supplier, or the global one of a tenant. */
export const setToleranceCommand = defineCommand('set-tolerance', {
  summary: 'Set the tolerance of a supplier, or the global one of the tenant.',
  example: 'set-tolerance demo.example --supplier 200 --mode PCT --pct 7.5 --auto-approve --local',
})
  .argument('<tenant>', 'the tenant')
  .option('--supplier <supplier>', 'the supplier whose own it is; the global one unless it is given')
  .addOption(toleranceOptions.mode)
  .addOption(toleranceOptions.pct)
  .addOption(toleranceOptions.abs)
  .option('--auto-approve', 'approve what is within the limits')
  .option('--no-auto-approve', 'review what is within the limits, too')
  .addOption(dryRunOption)
  .action((tenant, { supplier, mode, pct, abs, autoApprove, ...options }) =>
    runCommand(options, async ({ installation, output }) => {
      if (autoApprove === undefined) throw new OperatorError('Say one: --auto-approve or --no-auto-approve.');
      const config = readTolerance({ mode, pct, abs, autoApprove });
      const result = await changeTolerance(installation, { tenant, supplier }, config);
      return printResult(output, result, 'It has this tolerance already.');
    }),
  );
