import { Option } from '@commander-js/extra-typings';
import { toTolerance } from '../../../lib/contracts/to-response.ts';
import { type DeclarationRevision, IMPORTER } from '../../../lib/domain/declaration.ts';
import type { ToleranceRecord } from '../../../lib/domain/directory-fields.ts';
import { toToleranceConfig } from '../../../lib/domain/directory.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { decimal } from '../../../lib/domain/money.ts';
import type { Tolerance, ToleranceMode } from '../../../lib/domain/tolerance.ts';
import { evaluateTolerance, selectTolerance, TOLERANCE_MODES } from '../../../lib/domain/tolerance.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, dryRunOption, matching, runCommand, type Session } from '../command.ts';
import { OperatorError } from '../operator-errors.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { keysIn } from '../tables/directory-records.ts';
import { changeDirectory, type DirectoryChange, DirectorySnapshot, printResult } from './change-directory.ts';
import { planPropertyChange } from './plan-entry.ts';
import { findSuppliers } from './read-directory.ts';

const ZERO = decimal(0);

/** Describes a tolerance and its source: `PCT 5 %, auto-approve (proveedor)`. */
export function describeTolerance(tolerance: Tolerance): string {
  return `${describeLimits(tolerance)} (${tolerance.source})`;
}

/** Describes the limits of a tolerance: `AMB 5 % and 100, review only`. */
export function describeLimits({ mode, pct, abs, autoApprove }: Omit<Tolerance, 'source'>): string {
  if (mode === null) return 'none';
  const limits: string[] = [];
  if (mode !== 'ABS') limits.push(`${pct?.toFixed()} %`);
  if (mode !== 'PCT') limits.push(`${abs?.toFixed()}`);
  return `${mode} ${limits.join(' and ')}, ${autoApprove ? 'auto-approve' : 'review only'}`;
}

function defineToleranceCommand(name: string, text: { summary: string; example: string }) {
  const mode = new Option('--mode <mode>', 'the kind of limit: percent, amount, or both').choices(TOLERANCE_MODES);
  return defineCommand(name, text)
    .argument('<tenant>', 'the tenant')
    .option('--supplier <supplier>', 'id of the supplier (default: the global tolerance of the tenant)')
    .addOption(mode.makeOptionMandatory())
    .option('--pct <percentage>', 'the limit in percent', parseLimit)
    .option('--abs <amount>', 'the limit as an amount', parseLimit);
}

function parseLimit(text: string): number {
  return Number(matching(/^\d+(\.\d+)?$/, 'a number')(text));
}

interface ToleranceOptions {
  readonly mode: ToleranceMode;
  readonly pct?: number | undefined;
  readonly abs?: number | undefined;
  readonly autoApprove: boolean;
}

export const setToleranceCommand = defineToleranceCommand('set-tolerance', {
  summary: 'Set the tolerance of a supplier, or the global tolerance of the tenant.',
  example: 'set-tolerance demo.example --supplier 200 --mode PCT --pct 7.5 --auto-approve --local',
})
  .option('--auto-approve', 'approve amounts within the limits; this or --no-auto-approve is required')
  .option('--no-auto-approve', 'review all amounts')
  .addOption(dryRunOption)
  .action((tenant, { supplier, autoApprove, ...options }) =>
    runCommand(options, async (session) => {
      if (autoApprove === undefined) throw new OperatorError('Pass --auto-approve or --no-auto-approve.');
      return changeTolerance(session, tenant, supplier, { ...options, autoApprove });
    }),
  );

export const clearToleranceCommand = defineCommand('clear-tolerance', {
  summary: 'Remove the tolerance of a supplier (the global tolerance then applies), or the global tolerance.',
  example: 'clear-tolerance demo.example --supplier 200 --local',
})
  .argument('<tenant>', 'the tenant')
  .option('--supplier <supplier>', 'id of the supplier (default: the global tolerance of the tenant)')
  .addOption(dryRunOption)
  .action((tenant, { supplier, ...options }) =>
    runCommand(options, (session) => changeTolerance(session, tenant, supplier, null)),
  );

/** Sets or (null) removes the tolerance of a supplier or, without a supplier, the global tolerance of the tenant. */
async function changeTolerance(
  session: Session,
  tenant: string,
  supplier: string | undefined,
  options: ToleranceOptions | null,
): Promise<void> {
  const plan = (directory: DirectorySnapshot) => planTolerance(directory, tenant, supplier, options);
  printResult(session, await changeDirectory(session.ports.records, plan));
}

/** Plans a change of a tolerance by the rules of a directory file. */
function planTolerance(
  directory: DirectorySnapshot,
  tenant: string,
  supplier: string | undefined,
  options: ToleranceOptions | null,
): Promise<DirectoryChange> {
  const tolerance = options && {
    mode: options.mode,
    tolerance_pct: options.pct,
    tolerance_abs: options.abs,
    auto_approve: options.autoApprove,
  };
  const key = supplier === undefined ? keysIn(tenant).tenant : keysIn(tenant).supplier(supplier);
  return planPropertyChange(directory, key, { tolerance });
}

export const simulateToleranceCommand = defineToleranceCommand('simulate-tolerance', {
  summary: 'Replay the latest declarations under a proposed tolerance, and show the changes; nothing is written.',
  example: 'simulate-tolerance demo.example --supplier 200 --mode PCT --pct 3 --local',
})
  .option('--no-auto-approve', 'review all amounts')
  .option(
    '--days <days>',
    'the number of days to replay',
    matching(/^\d{1,5}$/, 'a number of days'),
    `${LIMITS.rangeDays}`,
  )
  .action((tenant, { supplier, days, ...options }) =>
    runCommand(options, async ({ ports, output }) => {
      const since = new Date(systemClock.now().getTime() - Number(days) * DAY_MS).toISOString();
      const plan = await planTolerance(new DirectorySnapshot(ports.records), tenant, supplier, options);
      const record = plan.changes[0].after ?? plan.changes[0].before;
      const config = toToleranceConfig(record?.['tolerance'] as ToleranceRecord);
      const proposed = supplier === undefined ? selectTolerance(null, config) : selectTolerance(config, null);
      const outcomes = await replayDeclarations(ports, { tenant, supplier, since, proposed });
      output.line(`Proposed: ${describeTolerance(proposed)}. Declarations since ${since}:`);
      const rows = outcomes.map(({ before, after, declarations, declared, difference }) => {
        return [before, after, String(declarations), declared.toFixed(), difference.toFixed()];
      });
      output.table(['was', 'would be', 'declarations', 'declared', 'difference'], rows);
      output.document({
        tenant,
        supplier_id: supplier ?? null,
        tolerance: toTolerance(proposed),
        since,
        outcomes: outcomes.map(({ declared, difference, ...outcome }) => ({
          ...outcome,
          declared_amount: declared.toNumber(),
          difference: difference.toNumber(),
        })),
      });
    }),
  );

interface Replay {
  readonly tenant: string;
  /** The supplier whose tolerance is proposed. Without it, suppliers with their own tolerance are not affected. */
  readonly supplier: string | undefined;
  readonly since: string;
  readonly proposed: Tolerance;
}

/** Evaluates the declarations since a time under a proposed tolerance. Imported declarations are omitted. */
async function replayDeclarations(ports: AdminPorts, { tenant, supplier, since, proposed }: Replay) {
  const outcomes = createOutcomes();
  const suppliers = await findSuppliers(ports, tenant, supplier);
  const affectedSuppliers = suppliers.filter(({ tolerance }) => supplier !== undefined || !tolerance);
  const affectedIds = new Set(affectedSuppliers.map(({ supplierId }) => supplierId));
  const nowMs = systemClock.now().getTime();
  for await (const page of ports.histories.readBetween(tenant, Date.parse(since), nowMs + 1)) {
    for (const { scope, revision } of page) {
      if (!revision || revision.declaredBy === IMPORTER || !affectedIds.has(scope.supplierId)) continue;
      addDeclaration(outcomes, revision, proposed);
    }
  }
  return outcomes;
}

/** Creates the sums of the declarations whose stored action is `before`, and whose proposed action is `after`. */
function createOutcomes() {
  const actions = [
    ['AUTO_APPROVE', 'REVIEW'],
    ['REVIEW', 'AUTO_APPROVE'],
    ['AUTO_APPROVE', 'AUTO_APPROVE'],
    ['REVIEW', 'REVIEW'],
  ] as const;
  return actions.map(([before, after]) => ({ before, after, declarations: 0, declared: ZERO, difference: ZERO }));
}

/** Adds a declaration, evaluated with the system amount at its time. A declaration held for review stays in review. */
function addDeclaration(
  outcomes: ReturnType<typeof createOutcomes>,
  { amount, systemAmount, outcome, requiresManualReview }: DeclarationRevision,
  proposed: Tolerance,
): void {
  const { action, difference } = evaluateTolerance(amount, systemAmount, proposed);
  const after = requiresManualReview ? 'REVIEW' : action;
  const sums = outcomes.find((each) => each.before === outcome.action && each.after === after);
  if (!sums) return;
  sums.declarations += 1;
  sums.declared = sums.declared.plus(amount);
  sums.difference = sums.difference.plus(difference);
}
