import { Option } from '@commander-js/extra-typings';
import { FORMATS } from '../../../lib/admin/import/read-records.ts';
import { DECIMAL_SIGNS } from '../../../lib/spreadsheets/read-amount.ts';
import { defineCommand, dryRunOption, runCommand } from '../command.ts';
import { openInput } from './import-files.ts';
import { runDecide } from './run-decide.ts';
import { readText } from './set-state.ts';

/** `decide`: takes the decisions of a reviewed sheet. */
export const decideCommand = defineCommand('decide', {
  summary: 'Take the decisions of a reviewed sheet; none lands on a declaration that it was not made on.',
  example: 'decide infra/ops/invoices/sample-review.csv --tenant demo.example --local',
})
  .argument('<file>', 'the sheet of list-invoices (CSV or .xlsx), or NDJSON with its columns; - is standard input')
  .requiredOption('--tenant <tenant>', 'whose invoices these are')
  .option('--reason <text>', 'why, for the rows that do not say it')
  .option('--by <who>', 'who decides, unless it is whoever runs the command')
  .addOption(new Option('--format <format>', 'what is in the file, unless its name tells').choices(FORMATS))
  .addOption(
    new Option('--decimal <sign>', 'what a CSV has before decimals: 1.050,00 or 1050.00').choices(DECIMAL_SIGNS),
  )
  .option(
    '--rejects <file>',
    'where rejected rows go, unless to FILE.rejected.xlsx for a workbook, or else to FILE.rejected.csv',
  )
  .addOption(dryRunOption)
  .action((file, { tenant, reason, by, decimal, ...options }) =>
    runCommand(options, async (session) => {
      const input = await openInput(file, options, session.host.stdin, (format) =>
        format === 'xlsx' ? 'xlsx' : 'csv',
      );
      try {
        const decidedBy = by === undefined ? await session.operator() : readText('--by', by);
        const why = reason === undefined ? null : readText('--reason', reason);
        return await runDecide(input, { tenant, reason: why, decidedBy, decimal }, session);
      } finally {
        await input.close();
      }
    }),
  );
