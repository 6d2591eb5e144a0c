import { Argument } from '@commander-js/extra-typings';
import { setState } from './change-state.ts';
import { INVOICE_STATES, STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { dryRunOption, EXIT, matching, runCommand } from '../command.ts';
import { stateChangeDocument } from '../../../lib/contracts/history.ts';
import { byOption, defineInvoiceCommand, identifyAuthor, readText } from './invoice-options.ts';

/** `set-state`: changes the state of an invoice. */
export const setStateCommand = defineInvoiceCommand('set-state', {
  summary: 'Change the state of an invoice. Its history records the author and the reason.',
  example: 'set-state demo.example 9005 LIQ --reason "Paid on 3 September" --local',
})
  .addArgument(new Argument('<state>', 'the new state').choices(STATE_CODES))
  .requiredOption('--reason <text>', 'reason of the change')
  .option(
    '--revision <number>',
    'only if this is the revision of the current declaration; 0: no declaration',
    matching(/^\d{1,10}$/, 'the number of a revision, or 0'),
  )
  .option('--force', 'also change a settled invoice (LIQ)')
  .addOption(byOption)
  .addOption(dryRunOption)
  .action((tenant, invoiceId, state, { supplier: supplierId, reason, by, revision, force, ...options }) =>
    runCommand(options, async ({ ports, operator, output }) => {
      const why = readText('--reason', reason);
      const who = await identifyAuthor(operator, by);
      const author = { changedBy: who, reason: why, clock: systemClock };
      const conditions = { revision: revision === undefined ? undefined : Number(revision), force };
      const { scope, change } = await setState(ports, { tenant, invoiceId, supplierId }, state, author, conditions);
      const { supplierId: owner } = scope;
      const name = `Invoice ${invoiceId} of supplier ${owner}`;
      if (change) output.line(`${name}: ${change.from} -> ${change.to} by ${who}: ${why}`);
      else output.line(`${name} is already ${state} (${INVOICE_STATES[state].name}). Nothing was written.`);
      output.document({
        tenant,
        supplier_id: owner,
        invoice_id: invoiceId,
        changed: change !== null,
        ...(change && stateChangeDocument(change)),
      });
      return EXIT.done;
    }),
  );
