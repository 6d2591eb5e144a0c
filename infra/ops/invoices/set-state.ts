import { Argument, InvalidArgumentError } from '@commander-js/extra-typings';
import { setState } from '../../../lib/admin/invoices/change-state.ts';
import { INVOICE_STATES, STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { dryRunOption, EXIT, runCommand } from '../command.ts';
import { stateChangeDocument } from '../../../lib/contracts/history.ts';
import { byOption, identifyAuthor, readText } from './author.ts';
import { defineInvoiceCommand } from './invoice-command.ts';

/** `set-state`: moves an invoice to a state, and keeps who did so and why. */
export const setStateCommand = defineInvoiceCommand('set-state', {
  summary: 'Move an invoice to a state; its history keeps who did so and why.',
  example: 'set-state demo.example 9005 LIQ --reason "Paid on 3 September" --local',
})
  .addArgument(new Argument('<state>', 'the state to move it to').choices(STATE_CODES))
  .requiredOption('--reason <text>', 'why')
  .option(
    '--revision <number>',
    'only if this revision of the declaration stands; 0: nobody has declared',
    revisionNumber,
  )
  .option('--force', 'also out of LIQ, which is the end')
  .addOption(byOption)
  .addOption(dryRunOption)
  .action((tenant, invoiceId, state, { supplier: supplierId, reason, by, revision, force, ...options }) =>
    runCommand(options, async ({ ports, operator, output }) => {
      const why = readText('--reason', reason);
      const who = await identifyAuthor(operator, by);
      const author = { changedBy: who, reason: why, clock: systemClock };
      const { scope, change } = await setState(ports, { tenant, invoiceId, supplierId }, state, author, {
        revision,
        force,
      });

      const { supplierId: owner } = scope;
      const name = `Invoice ${invoiceId} of supplier ${owner}`;
      if (change) output.line(`${name}: ${change.from} -> ${change.to} by ${who}: ${why}`);
      else output.line(`${name} is ${state} (${INVOICE_STATES[state].name}) already; nothing was written.`);
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

function revisionNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('It is the number of a revision, or 0.');
  return Number(text);
}
