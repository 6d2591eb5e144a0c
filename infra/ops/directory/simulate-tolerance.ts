import { InvalidArgumentError } from '@commander-js/extra-typings';
import { type ActionChange, simulateTolerance } from '../../../lib/admin/directory/simulate-tolerance.ts';
import { toTolerance } from '../../../lib/contracts/to-response.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, EXIT, runCommand } from '../command.ts';
import { readTolerance, toleranceOptions } from './tolerances.ts';
import { toleranceText } from '../tolerance-text.ts';

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
