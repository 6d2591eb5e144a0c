import { thawTable } from '../../../lib/admin/tables/freeze-table.ts';
import { defineCommand, dryRunOption, EXIT, runCommand } from '../command.ts';
import { freezeOf } from './freeze-of.ts';

/** `thaw-table`: a frozen table can be written to again. */
export const thawTableCommand = defineCommand('thaw-table', {
  summary: 'Thaw a table of a stack: it can be written to again.',
  example: 'thaw-table Invoices --stack SupplierPortalInvoices-prod',
})
  .argument('<table>', 'the table: its name, or that of its output without `Table`')
  .addOption(dryRunOption)
  .action((name, options) =>
    runCommand(options, async (session) => {
      const { table, freeze } = freezeOf(session, name);
      const outcome = await thawTable(freeze);
      session.output.line(outcome === 'thawed' ? `${table} is thawed.` : `${table} is not frozen.`);
      session.output.document({ table, outcome });
      return EXIT.done;
    }),
  );
