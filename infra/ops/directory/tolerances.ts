import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { toTolerance } from '../../../lib/contracts/to-response.ts';
import { type DeclarationRevision, IMPORTER } from '../../../lib/domain/declaration.ts';
import { toToleranceRecord } from '../../../lib/domain/directory.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { type Decimal, decimal } from '../../../lib/domain/money.ts';
import {
  ACTIONS,
  selectTolerance,
  evaluateTolerance,
  findMissingLimit,
  type Tolerance,
  TOLERANCE_MODES,
  type ToleranceConfig,
} from '../../../lib/domain/tolerance.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { defineCommand, dryRunOption, runCommand } from '../command.ts';
import { isExactAmount } from '../input/decimal-text.ts';
import { OperatorError } from '../operator-errors.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { keysIn } from '../tables/directory-records.ts';
import { toleranceText } from './tolerance-text.ts';
import { changeEntity, type ChangeResult, printResult } from './change-directory.ts';
import { findSuppliers } from './read-directory.ts';

const ZERO = decimal(0);
const PARALLEL_SUPPLIERS = 4;

type ToleranceOptions = Pick<ToleranceConfig, 'mode' | 'autoApprove'> &
  Partial<Record<'pct' | 'abs', Decimal | null | undefined>>;

/** Returns the tolerance that options configure; throws an OperatorError if the limit of its mode is missing. */
function readTolerance({ mode, pct = null, abs = null, autoApprove }: ToleranceOptions): ToleranceConfig {
  const missing = findMissingLimit(mode, pct, abs);
  if (missing) throw new OperatorError(`--${missing} is required in mode ${mode}.`);
  return { mode, pct, abs, autoApprove };
}

/** Defines a command with the options of a tolerance. */
function defineToleranceCommand(name: string, text: { summary: string; example: string }) {
  const mode = new Option('--mode <mode>', 'the kind of limit: percent, amount, or both').choices(TOLERANCE_MODES);
  return defineCommand(name, text)
    .argument('<tenant>', 'the tenant')
    .option('--supplier <supplier>', 'the supplier (default: the global tolerance)')
    .addOption(mode.makeOptionMandatory())
    .option('--pct <percentage>', 'the limit in percent', readLimit)
    .option('--abs <amount>', 'the limit as an amount', readLimit);
}

/** Reads a limit by the rules of a directory file. */
function readLimit(text: string): Decimal {
  if (isExactAmount(text)) return decimal(text);
  throw new InvalidArgumentError(`It must be a number from 0 to ${LIMITS.amountMax} with at most 6 decimals.`);
}

/** `set-tolerance`: configures the tolerance of a supplier, or the global tolerance of a tenant. */
export const setToleranceCommand = defineToleranceCommand('set-tolerance', {
  summary: 'Set the tolerance of a supplier, or the global tolerance of the tenant.',
  example: 'set-tolerance demo.example --supplier 200 --mode PCT --pct 7.5 --auto-approve --local',
})
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
  return changeEntity(records, key, () => ({ tolerance: toToleranceRecord(config) }));
}

/** `simulate-tolerance`: replays the latest declarations under a proposed tolerance. */
export const simulateToleranceCommand = defineToleranceCommand('simulate-tolerance', {
  summary: 'Replay the latest declarations under a proposed tolerance, and show the changes; nothing is written.',
  example: 'simulate-tolerance demo.example --supplier 200 --mode PCT --pct 3 --local',
})
  .option('--no-auto-approve', 'review all amounts')
  .option('--days <days>', 'the number of days to replay', readDays, LIMITS.rangeDays)
  .action((tenant, { supplier, days, ...options }) =>
    runCommand(options, async ({ ports, output }) => {
      const since = new Date(systemClock.now().getTime() - days * DAY_MS).toISOString();
      const config = readTolerance(options);
      const isGlobal = supplier === undefined;
      const rule = isGlobal ? selectTolerance(null, config) : selectTolerance(config, null);
      const changes = createActionChanges();
      let notAffected = 0;
      const suppliers = await findSuppliers(ports, tenant, supplier);
      await forEachConcurrent(suppliers, PARALLEL_SUPPLIERS, async ({ supplierId, tolerance }) => {
        const scope = { tenant, supplierId };
        for await (const keys of ports.revisionKeys(scope)) {
          const replayed = (await ports.declarations.readRevisions(scope, keys)).filter(
            ({ declaredAt, declaredBy }) => declaredAt >= since && declaredBy !== IMPORTER,
          );
          if (isGlobal && tolerance) notAffected += replayed.length;
          else for (const declaration of replayed) addDeclaration(changes, declaration, rule);
        }
      });

      const total = countDeclarations(changes);
      const changing = countDeclarations(changes.filter(({ before, after }) => before !== after));
      output.line(`Proposed: ${toleranceText(rule)}`);
      const rows = changes.map(({ before, after, declarations, declared, difference }) => {
        return [before, after, String(declarations), declared.toFixed(), difference.toFixed()];
      });
      output.table(['was', 'would be', 'declarations', 'declared', 'difference'], rows);
      output.line(`${total} declarations since ${since}, ${changing} would change`);
      if (isGlobal) output.line(`${notAffected} declarations of suppliers with a tolerance of their own not affected`);
      output.document({
        tenant,
        supplier_id: supplier ?? null,
        tolerance: toTolerance(rule),
        since,
        declarations: total,
        changing,
        not_affected: notAffected,
        outcomes: changes.map(({ declared, difference, ...change }) => ({
          ...change,
          declared_amount: declared.toNumber(),
          difference: difference.toNumber(),
        })),
      });
    }),
  );

function readDays(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of days, from 1 to 99999.');
}

/**
 * Creates the sums of the declarations whose action was `before`, and is `after` under the proposed rule. `difference`
 * is the sum of declared minus system amounts. The first two are the declarations whose action changes.
 */
function createActionChanges() {
  const [approve, review] = ACTIONS;
  const actions = [
    [approve, review],
    [review, approve],
    [approve, approve],
    [review, review],
  ] as const;
  return actions.map(([before, after]) => ({ before, after, declarations: 0, declared: ZERO, difference: ZERO }));
}

type ActionChanges = ReturnType<typeof createActionChanges>;

/** Adds a declaration with the system amount of its time. A declaration held for review stays in review. */
function addDeclaration(
  changes: ActionChanges,
  { amount, systemAmount, outcome, requiresManualReview }: DeclarationRevision,
  rule: Tolerance,
): void {
  const { action, difference } = evaluateTolerance(amount, systemAmount, rule);
  const after = requiresManualReview ? 'REVIEW' : action;
  const change = changes.find((candidate) => candidate.before === outcome.action && candidate.after === after);
  if (!change) return;
  change.declarations += 1;
  change.declared = change.declared.plus(amount);
  change.difference = change.difference.plus(difference);
}

function countDeclarations(changes: ActionChanges): number {
  return changes.reduce((sum, { declarations }) => sum + declarations, 0);
}
