import { Argument } from '@commander-js/extra-typings';
import { INVOICE_STATES, STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { createInvoiceTransaction } from '../../../lib/storage/invoice-transaction.ts';
import { EXIT, runCommand } from '../command.ts';
import { UsageError } from '../../../lib/admin/usage-error.ts';
import { changeState } from '../../../lib/admin/invoices/change-state.ts';
import { findInvoice } from '../../../lib/admin/invoices/find-invoice.ts';
import { stateChangeDocument } from '../../../lib/admin/invoices/history-documents.ts';
import { defineInvoiceCommand } from './invoice-command.ts';

const MAX_TEXT = 500;

/** `set-state`: moves an invoice to a state, and keeps who did so and why. */
export const setStateCommand = defineInvoiceCommand('set-state', {
  summary: 'Move an invoice to any state; its history keeps who did so and why.',
  example: 'set-state demo.example 9005 LIQ --reason "Paid on 3 September" --local',
})
  .addArgument(new Argument('<state>', 'the state to move it to').choices(STATE_CODES))
  .requiredOption('--reason <text>', 'why')
  .option('--by <who>', 'who does so, unless it is whoever runs the command')
  .action((tenant, invoiceId, state, { supplier: supplierId, reason, by, ...options }) =>
    runCommand(options, async ({ client, tables, operator, output }) => {
      const why = checkedText('--reason', reason);
      const who = by === undefined ? await operator() : checkedText('--by', by);
      const found = await findInvoice({ client, tables }, { tenant, invoiceId, supplierId });
      const commit = createInvoiceTransaction(client, { invoices: tables.Invoices, declarations: tables.Declarations });
      const change = await changeState(commit, found, state, { changedBy: who, reason: why, clock: systemClock });

      const { supplierId: owner } = found.scope;
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

function checkedText(option: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new UsageError(`${option} must not be blank.`);
  if (trimmed.length > MAX_TEXT) throw new UsageError(`${option} must have at most ${MAX_TEXT} characters.`);
  return trimmed;
}
