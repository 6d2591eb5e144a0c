import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { toTolerance } from '../../../lib/contracts/to-response.ts';
import { type DeclarationRevision, IMPORTER } from '../../../lib/domain/declaration.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { type Decimal, decimal } from '../../../lib/domain/money.ts';
import { type Action, effectiveTolerance, evaluateTolerance, type Tolerance } from '../../../lib/domain/tolerance.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { defineCommand, runCommand } from '../command.ts';
import { toleranceText } from '../tolerance-text.ts';
import { findSuppliers } from './read-directory.ts';
import { readTolerance, toleranceOptions } from './tolerances.ts';

const DEFAULT_DAYS = LIMITS.rangeDays;
const PARALLEL_SUPPLIERS = 4;
const ZERO = decimal(0);

// First the declarations whose action changes, then those whose action stays the same.
const ACTIONS: readonly Pick<ActionChange, 'before' | 'after'>[] = [
  { before: 'AUTO_APPROVE', after: 'REVIEW' },
  { before: 'REVIEW', after: 'AUTO_APPROVE' },
  { before: 'AUTO_APPROVE', after: 'AUTO_APPROVE' },
  { before: 'REVIEW', after: 'REVIEW' },
];

/** The sums of the declarations whose action was `before`, and is `after` under the proposed rule. */
interface ActionChange {
  readonly before: Action;
  readonly after: Action;
  declarations: number;
  declared: Decimal;
  /** The sum of declared minus system amounts. */
  difference: Decimal;
}

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
      const config = readTolerance(options);
      const isGlobal = supplier === undefined;
      const rule = isGlobal ? effectiveTolerance(null, config) : effectiveTolerance(config, null);
      const changes = ACTIONS.map((actions) => ({ ...actions, declarations: 0, declared: ZERO, difference: ZERO }));
      let notAffected = 0;
      const suppliers = await findSuppliers(ports, tenant, supplier);
      await forEachConcurrent(suppliers, PARALLEL_SUPPLIERS, async ({ supplierId, tolerance }) => {
        for await (const declarations of readDeclarations(ports, { tenant, supplierId }, since)) {
          if (isGlobal && tolerance) notAffected += declarations.length;
          else for (const declaration of declarations) addDeclaration(changes, declaration, rule);
        }
      });

      const total = countDeclarations(changes);
      const changing = countDeclarations(changes.filter(({ before, after }) => before !== after));
      output.line(`Proposed: ${toleranceText(rule)}`);
      const rows = changes.map(({ before, after, declarations, declared, difference }) => {
        return [before, after, String(declarations), declared.toFixed(), difference.toFixed()];
      });
      output.table(['was', 'would be', 'declarations', 'declared', 'difference'], rows);
      output.line(`${total} declarations since ${since.toISOString()}, ${changing} would change`);
      if (isGlobal) output.line(`${notAffected} declarations of suppliers with a tolerance of their own not affected`);
      output.document({
        tenant,
        supplier_id: supplier ?? null,
        tolerance: toTolerance(rule),
        since: since.toISOString(),
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

/** Reads all revisions that a supplier has declared since an instant, page by page, without those of an import. */
async function* readDeclarations(
  { declarations, revisionKeys }: AdminPorts,
  scope: SupplierScope,
  since: Date,
): AsyncGenerator<DeclarationRevision[]> {
  for await (const keys of revisionKeys(scope)) {
    const read = await declarations.revisions(scope, keys);
    yield read.filter(({ declaredAt, declaredBy }) => declaredAt >= since.toISOString() && declaredBy !== IMPORTER);
  }
}

/** Adds a declaration with the system amount of its time. A declaration held for review stays in review. */
function addDeclaration(
  changes: readonly ActionChange[],
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

function readDays(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of days, from 1 to 99999.');
}

function countDeclarations(changes: readonly ActionChange[]): number {
  return changes.reduce((sum, { declarations }) => sum + declarations, 0);
}
