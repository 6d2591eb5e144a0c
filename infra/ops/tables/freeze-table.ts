import { setTimeout as sleep } from 'node:timers/promises';
import { freezeTable } from '../../../lib/admin/tables/freeze-table.ts';
import { defineCommand, dryRunOption, EXIT, runCommand, yesOption } from '../command.ts';
import { freezeOf } from './freeze-of.ts';

/** `freeze-table`: nobody can write to a table until it is thawed. */
export const freezeTableCommand = defineCommand('freeze-table', {
  summary: 'Freeze a table of a stack: every write to it is denied, reads go on. Undo it with thaw-table.',
  example: 'freeze-table Invoices --stack SupplierPortalInvoices-prod',
})
  .argument('<table>', 'the table: its name, or that of its output without `Table`')
  .addOption(dryRunOption)
  .addOption(yesOption)
  .action((name, options) =>
    runCommand(options, async (session) => {
      const { table, freeze } = freezeOf(session, name);
      await session.confirm(async () => `Freeze ${table}? Whatever writes to it fails until it is thawed.`);
      await freezeTable(freeze, (seconds) => (session.dryRun ? Promise.resolve() : sleep(seconds * 1000)));
      session.output.line(`${table} is frozen: writes are denied.`);
      session.output.document({ table, outcome: 'frozen' });
      return EXIT.done;
    }),
  );
