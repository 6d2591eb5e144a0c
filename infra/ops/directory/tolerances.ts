import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { type ActionChange, simulateTolerance } from './simulate-tolerance.ts';
import { changeTolerance } from './find-tolerances.ts';
import { OperatorError } from '../operator-error.ts';
import { toTolerance } from '../../../lib/contracts/to-response.ts';
import { isExactAmount } from '../../../lib/domain/decimal-text.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { type Decimal, decimal } from '../../../lib/domain/money.ts';
import { findMissingLimit, TOLERANCE_MODES, type ToleranceConfig } from '../../../lib/domain/tolerance.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, dryRunOption, EXIT, runCommand } from '../command.ts';
import { toleranceText } from '../tolerance-text.ts';
import { printResult } from './result-texts.ts';

/** The options of the limits of a tolerance. */
const toleranceOptions = {
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
function readTolerance({ mode, pct = null, abs = null, autoApprove }: ToleranceOptions): ToleranceConfig {
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
    runCommand(options, async ({ ports, output }) => {
      if (autoApprove === undefined) throw new OperatorError('Pass --auto-approve or --no-auto-approve.');
      const config = readTolerance({ mode, pct, abs, autoApprove });
      const result = await changeTolerance(ports, { tenant, supplier }, config);
      return printResult(output, result, 'The tolerance already has these values.');
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
    runCommand(options, async ({ ports, output }) => {
      const result = await changeTolerance(ports, { tenant, supplier }, null);
      return printResult(output, result, 'There is no tolerance to remove.');
    }),
  );

/** Reads a limit by the rules of a directory file. */
function readLimit(text: string): Decimal {
  if (isExactAmount(text)) return decimal(text);
  throw new InvalidArgumentError(`It must be a number from 0 to ${LIMITS.amountMax} with at most 6 decimals.`);
}

const DEFAULT_DAYS = LIMITS.rangeDays;

/** `simulate-tolerance`: replays the latest declarations under a proposed tolerance. */
export const simulateToleranceCommand = defineCommand('simulate-tolerance', {
  summary: 'Replay the latest declarations under a proposed tolerance, and show the changes; nothing is written.',
  example: 'simulate-tolerance demo.example --supplier 200 --mode PCT --pct 3 --local',
})
  .argument('<tenant>', 'the tenant; without --supplier, the proposal is its global tolerance')
  .option('--supplier <supplier>', 'propose the tolerance for this supplier')
  .addOption(toleranceOptions.mode)
  .addOption(toleranceOptions.pct)
  .addOption(toleranceOptions.abs)
  .option('--no-auto-approve', 'review all amounts')
  .option('--days <days>', 'the number of days to replay', readDays, DEFAULT_DAYS)
  .action((tenant, { supplier, days, ...options }) =>
    runCommand(options, async ({ ports, output }) => {
      const since = new Date(systemClock.now().getTime() - days * DAY_MS);
      const proposal = { tenant, supplierId: supplier, config: readTolerance(options) };
      const { rule, changes, notAffected } = await simulateTolerance(ports, proposal, since);

      const changing = countDeclarations(changes.filter(({ before, after }) => before !== after));
      output.line(`Proposed: ${toleranceText(rule)}`);
      const rows = changes.map(({ before, after, declarations, declared, difference }) => {
        return [before, after, String(declarations), declared.toFixed(), difference.toFixed()];
      });
      output.table(['was', 'would be', 'declarations', 'declared', 'difference'], rows);
      output.line(`${countDeclarations(changes)} declarations since ${since.toISOString()}, ${changing} would change`);
      if (supplier === undefined) {
        output.line(`${notAffected} declarations of suppliers with a tolerance of their own not affected`);
      }
      output.document({
        tenant,
        supplier_id: supplier ?? null,
        tolerance: toTolerance(rule),
        since: since.toISOString(),
        declarations: countDeclarations(changes),
        changing,
        not_affected: notAffected,
        outcomes: changes.map(({ declared, difference, ...change }) => ({
          ...change,
          declared_amount: declared.toNumber(),
          difference: difference.toNumber(),
        })),
      });
      return EXIT.done;
    }),
  );

function readDays(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of days, from 1 to 99999.');
}

function countDeclarations(changes: readonly ActionChange[]): number {
  return changes.reduce((sum, { declarations }) => sum + declarations, 0);
}
