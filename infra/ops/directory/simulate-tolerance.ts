import { InvalidArgumentError } from '@commander-js/extra-typings';
import { type Fate, simulateTolerance } from '../../../lib/admin/tolerances/simulate-tolerance.ts';
import { toTolerance } from '../../../lib/contracts/wire.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, EXIT, runCommand } from '../command.ts';
import { readTolerance, toleranceOptions } from './tolerances.ts';
import { toleranceText } from '../tolerance-text.ts';

const DEFAULT_DAYS = 93;

/** `simulate-tolerance`: what a tolerance would have made of the latest declarations. */
export const simulateToleranceCommand = defineCommand('simulate-tolerance', {
  summary: 'Replay the latest declarations under a proposed tolerance, and show what would change; nothing is written.',
  example: 'simulate-tolerance demo.example --supplier 200 --mode PCT --pct 3 --local',
})
  .argument('<tenant>', 'the tenant; the tolerance is proposed as its global one')
  .option('--supplier <supplier>', "propose it as this supplier's own instead")
  .addOption(toleranceOptions.mode)
  .addOption(toleranceOptions.pct)
  .addOption(toleranceOptions.abs)
  .option('--no-auto-approve', 'review what is within the limits, too')
  .option('--days <days>', 'how far to go back', readDays, DEFAULT_DAYS)
  .action((tenant, { supplier, days, ...options }) =>
    runCommand(options, async ({ ports, output }) => {
      const since = new Date(systemClock.now().getTime() - days * DAY_MS);
      const proposal = { tenant, supplierId: supplier, config: readTolerance(options) };
      const { rule, fates, notAffected } = await simulateTolerance(ports, proposal, since);

      const changing = countOf(fates.filter(({ before, after }) => before !== after));
      output.line(`Proposed: ${toleranceText(rule)}`);
      output.table(['was', 'would be', 'declarations', 'declared', 'difference'], fates.map(toRow));
      output.line(`${countOf(fates)} declarations since ${since.toISOString()}, ${changing} would change`);
      if (supplier === undefined) {
        output.line(`${notAffected} declarations of suppliers with a tolerance of their own not affected`);
      }
      output.document({
        tenant,
        supplier_id: supplier ?? null,
        tolerance: toTolerance(rule),
        since: since.toISOString(),
        declarations: countOf(fates),
        changing,
        not_affected: notAffected,
        outcomes: fates.map(toOutcome),
      });
      return EXIT.done;
    }),
  );

function readDays(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of days, from 1 to 99999.');
}

function countOf(fates: readonly Fate[]): number {
  return fates.reduce((sum, { declarations }) => sum + declarations, 0);
}

function toRow({ before, after, declarations, declared, difference }: Fate): string[] {
  return [before, after, String(declarations), declared.toFixed(), difference.toFixed()];
}

function toOutcome({ before, after, declarations, declared, difference }: Fate) {
  return {
    before,
    after,
    declarations,
    declared_amount: declared.toNumber(),
    difference: difference.toNumber(),
  };
}
