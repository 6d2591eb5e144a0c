import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { isExactAmount } from '../decimal-text.ts';
import { toToleranceRecord } from '../../../lib/domain/directory.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { type Decimal, decimal } from '../../../lib/domain/money.ts';
import { keysIn } from '../tables/record-keys.ts';
import { findMissingLimit, TOLERANCE_MODES, type ToleranceConfig } from '../../../lib/domain/tolerance.ts';
import { defineCommand, dryRunOption, runCommand } from '../command.ts';
import { OperatorError } from '../errors.ts';
import { changeDirectory, type ChangeResult, printResult } from './change-directory.ts';

export const toleranceOptions = {
  mode: new Option('--mode <mode>', 'the kind of limit: percent, amount, or both')
    .choices(TOLERANCE_MODES)
    .makeOptionMandatory(),
  pct: new Option('--pct <percentage>', 'the limit in percent').argParser(readLimit),
  abs: new Option('--abs <amount>', 'the limit as an amount').argParser(readLimit),
};

interface ToleranceOptions extends Pick<ToleranceConfig, 'mode' | 'autoApprove'> {
  readonly pct?: Decimal | null | undefined;
  readonly abs?: Decimal | null | undefined;
}

/** Returns the tolerance that options configure; throws an OperatorError if the limit of its mode is missing. */
export function readTolerance({ mode, pct = null, abs = null, autoApprove }: ToleranceOptions): ToleranceConfig {
  const missing = findMissingLimit(mode, pct, abs);
  if (missing) throw new OperatorError(`--${missing} is required in mode ${mode}.`);
  return { mode, pct, abs, autoApprove };
}

/** `set-tolerance`: configures the tolerance of a supplier, or the global tolerance of a tenant. */
export const setToleranceCommand = defineCommand('set-tolerance', {
  summary: 'Set the tolerance of a supplier, or the global tolerance of the tenant.',
  example: 'set-tolerance demo.example --supplier 200 --mode PCT --pct 7.5 --auto-approve --local',
})
  .argument('<tenant>', 'the tenant')
  .option('--supplier <supplier>', 'the supplier (default: the global tolerance)')
  .addOption(toleranceOptions.mode)
  .addOption(toleranceOptions.pct)
  .addOption(toleranceOptions.abs)
  .option('--auto-approve', 'approve amounts within the limits')
  .option('--no-auto-approve', 'review all amounts')
  .addOption(dryRunOption)
  .action((tenant, { supplier, mode, pct, abs, autoApprove, ...options }) =>
    runCommand(options, async (session) => {
      if (autoApprove === undefined) throw new OperatorError('Pass --auto-approve or --no-auto-approve.');
      const config = readTolerance({ mode, pct, abs, autoApprove });
      const result = await changeTolerance(session.ports, tenant, supplier, config);
      return printResult(session, result, 'The tolerance already has these values.');
    }),
  );

/** `clear-tolerance`: removes the tolerance of a supplier, or the global tolerance of a tenant. */
export const clearToleranceCommand = defineCommand('clear-tolerance', {
  summary: 'Remove the tolerance of a supplier, so that the global one applies, or the global tolerance of the tenant.',
  example: 'clear-tolerance demo.example --supplier 200 --local',
})
  .argument('<tenant>', 'the tenant')
  .option('--supplier <supplier>', 'the supplier (default: the global tolerance)')
  .addOption(dryRunOption)
  .action((tenant, { supplier, ...options }) =>
    runCommand(options, async (session) => {
      const result = await changeTolerance(session.ports, tenant, supplier, null);
      return printResult(session, result, 'There is no tolerance to remove.');
    }),
  );

/** Sets or (null) removes the tolerance of a supplier or, without a supplier, the global tolerance of the tenant. */
function changeTolerance(
  { records }: AdminPorts,
  tenant: string,
  supplierId: string | undefined,
  config: ToleranceConfig | null,
): Promise<ChangeResult> {
  const keys = keysIn(tenant);
  const key = supplierId === undefined ? keys.tenant : keys.supplier(supplierId);
  return changeDirectory(records, async (directory) => {
    const stored = await directory.getExisting(key);
    return { record: await directory.planChange(key, { ...stored, tolerance: toToleranceRecord(config) }) };
  });
}

/** Reads a limit by the rules of a directory file. */
function readLimit(text: string): Decimal {
  if (isExactAmount(text)) return decimal(text);
  throw new InvalidArgumentError(`It must be a number from 0 to ${LIMITS.amountMax} with at most 6 decimals.`);
}
