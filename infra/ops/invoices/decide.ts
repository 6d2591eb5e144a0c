import type { Format } from '../../../lib/admin/import/read-records.ts';
import { readTenant } from '../directory/read-directory.ts';
import { defineCommand, dryRunOption, type ExitCode, runCommand, type Session, stopSignal } from '../command.ts';
import { applyDecisions, type DecideOptions } from './apply-decisions.ts';
import { byOption, identifyAuthor, readText } from './invoice-options.ts';
import { decimalOption, formatOption, openInput } from './import-files.ts';
import { RejectedRecords } from './rejects-file.ts';
import { buildRejectedSheet, readReviewSheet, type ReviewSheet } from './review-sheet.ts';

/** `decide`: applies the decisions of a review sheet. */
export const decideCommand = defineCommand('decide', {
  summary:
    'Apply the decisions in a review sheet. A decision is rejected if the supplier has declared again since the ' +
    'sheet was exported.',
  example: 'decide infra/ops/invoices/sample-review.csv --tenant demo.example --local',
})
  .argument('<file>', 'the sheet of list-invoices (CSV or .xlsx), or NDJSON with its columns; - reads standard input')
  .requiredOption('--tenant <tenant>', 'tenant of the invoices')
  .option('--reason <text>', 'reason of the rows without one')
  .addOption(byOption)
  .addOption(formatOption)
  .addOption(decimalOption)
  .option('--rejects <file>', 'file of the rejected rows (default: FILE.rejected.xlsx for a workbook, else .csv)')
  .addOption(dryRunOption)
  .action((file, { tenant, reason, by, decimal, ...options }) =>
    runCommand(options, async (session) => {
      const stop = stopSignal(session.host);
      const toEnding = (format: Format) => (format === 'xlsx' ? 'xlsx' : 'csv');
      const input = await openInput(file, options, session.host.stdin, stop, toEnding);
      try {
        const decidedBy = await identifyAuthor(session.operator, by);
        const why = reason === undefined ? undefined : readText('--reason', reason);
        await readTenant(session.ports, tenant);
        const sheet = await readReviewSheet(input, { reason: why, decimal, signal: stop });
        return await decide(sheet, input.rejectsPath, { tenant, decidedBy, stop }, session);
      } finally {
        await input.close();
      }
    }),
  );

/** Applies the decisions of a sheet, and prints the result of each kind of row. */
async function decide(
  { decisions, rejected, undecided, understood, dialect }: ReviewSheet,
  rejectsPath: string,
  options: Omit<DecideOptions, 'report'>,
  { ports, output, dryRun }: Session,
): Promise<ExitCode> {
  const rejects = await RejectedRecords.open(rejectsPath, { dryRun, continues: false });
  const counts = { decided: 0, unchanged: 0 };
  let failure: unknown = null;
  try {
    await applyDecisions(ports, decisions, {
      ...options,
      report(decision, outcome) {
        if (typeof outcome === 'string') counts[outcome] += 1;
        else rejected.push({ ...decision, errors: [outcome.error] });
      },
    });
  } catch (error) {
    failure = error;
  }
  for (const { errors } of rejected) rejects.add(errors);
  await rejects.write(await buildRejectedSheet(rejected, rejectsPath, dialect));
  await rejects.close();
  const { decided, unchanged } = counts;
  const others = `${undecided} without a decision, ${rejected.length} rejected`;
  const code = rejects.report(output, {
    lines: [...understood, `${decided} decided, ${unchanged} unchanged, ${others}`],
    interruption: options.stop?.aborted ? 'Interrupted. To continue, run the command again.' : null,
    document: {
      ...{ ...counts, undecided, rejected: rejected.length },
      ...(understood.length > 0 && { read_as: understood }),
      ...(failure instanceof Error && { error: failure.message }),
    },
  });
  if (failure) throw failure;
  return code;
}
