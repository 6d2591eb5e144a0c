import { Option } from '@commander-js/extra-typings';
import type { FileValue } from '../../../lib/domain/directory-fields.ts';
import { type Tolerance, TOLERANCE_MODES } from '../../../lib/domain/tolerance.ts';
import { defineCommand, dryRunOption, matching, runCommand, type Session } from '../command.ts';
import { OperatorError } from '../operator-errors.ts';
import { keysIn } from '../tables/directory-records.ts';
import { changeDirectory } from './change-directory.ts';
import { planPropertyChange } from './plan-entry.ts';
import { printResult } from './print-result.ts';

const MORE_THAN_DOUBLE =
  'Warning: a percentage above 100 includes the amount 0, and amounts above twice the system amount.';

const supplierOption = new Option('--supplier <supplier>', 'id of the supplier (default: the global tolerance)');

export const setToleranceCommand = defineCommand('set-tolerance', {
  summary: 'Set the tolerance of a supplier, or the global tolerance of the tenant.',
  example: 'set-tolerance demo.example --supplier 200 --mode PCT --pct 7.5 --auto-approve --local',
})
  .argument('<tenant>', 'the tenant')
  .addOption(supplierOption)
  .addOption(
    new Option('--mode <mode>', 'the kind of limit: percent, amount, or both')
      .choices(TOLERANCE_MODES)
      .makeOptionMandatory(),
  )
  .option('--pct <percentage>', 'the limit in percent', parseLimit)
  .option('--abs <amount>', 'the limit as an amount', parseLimit)
  .option('--auto-approve', 'approve amounts within the limits; this or --no-auto-approve is required')
  .option('--no-auto-approve', 'review all amounts')
  .addOption(dryRunOption)
  .action((tenant, { supplier, autoApprove, mode, pct, abs, ...options }) =>
    runCommand(options, async (session) => {
      if (autoApprove === undefined) throw new OperatorError('Pass --auto-approve or --no-auto-approve.');
      const tolerance = { mode, tolerance_pct: pct, tolerance_abs: abs, auto_approve: autoApprove };
      await changeTolerance(session, tenant, supplier, tolerance);
      if (mode !== 'ABS' && pct !== undefined && pct > 100) session.output.note(MORE_THAN_DOUBLE);
    }),
  );

export const clearToleranceCommand = defineCommand('clear-tolerance', {
  summary: 'Remove the tolerance of a supplier (the global tolerance then applies), or the global tolerance.',
  example: 'clear-tolerance demo.example --supplier 200 --local',
})
  .argument('<tenant>', 'the tenant')
  .addOption(supplierOption)
  .addOption(dryRunOption)
  .action((tenant, { supplier, ...options }) =>
    runCommand(options, (session) => changeTolerance(session, tenant, supplier, null)),
  );

function parseLimit(text: string): number {
  return Number(matching(/^\d+(\.\d+)?$/, 'a number')(text));
}

/** Sets the tolerance of a supplier or, without a supplier, of the tenant. Null removes it. */
async function changeTolerance(
  session: Session,
  tenant: string,
  supplierId: string | undefined,
  tolerance: FileValue<'tenant'>['tolerance'],
): Promise<void> {
  const keys = keysIn(tenant);
  const key = supplierId === undefined ? keys.tenant : keys.supplier(supplierId);
  const { records } = session.ports;
  const result = await changeDirectory(records, (directory) => planPropertyChange(directory, key, { tolerance }));
  printResult(session, result);
}

/** Describes a tolerance and its source, such as `PCT 5 %, auto-approve (proveedor)`. */
export function describeTolerance(tolerance: Tolerance): string {
  return `${describeLimits(tolerance)} (${tolerance.source})`;
}

/** Describes the limits of a tolerance, such as `AMB 5 % and 100, review only`. */
export function describeLimits({ mode, pct, abs, autoApprove }: Omit<Tolerance, 'source'>): string {
  if (mode === null) return 'none';
  const limits: string[] = [];
  if (mode !== 'ABS') limits.push(`${pct?.toFixed()} %`);
  if (mode !== 'PCT') limits.push(`${abs?.toFixed()}`);
  const approval = autoApprove ? 'auto-approve' : 'review only';
  return `${mode} ${limits.join(' and ')}, ${approval}`;
}
