import { Argument, Option } from '@commander-js/extra-typings';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { dryRunOption, matching } from '../command.ts';
import { byOption, defineInvoiceCommand } from '../invoice-options.ts';
import { languageOption } from '../texts/language.ts';
import { runDecision } from './decide-on-invoice.ts';

const requireRevision = matching(/^\d{1,10}$/, 'the number of a revision, or 0');

const revisionOption = new Option(
  '--revision <number>',
  'change it only if the current declaration has this revision (0: no declaration)',
).argParser((text) => Number(requireRevision(text)));

/** Defines a command that changes an invoice, and records the author and the reason in its history. */
function defineChangeCommand(name: string, text: { summary: string; example: string }) {
  return defineInvoiceCommand(name, text)
    .requiredOption('--reason <text>', 'reason of the change')
    .addOption(byOption)
    .addOption(dryRunOption)
    .addOption(languageOption);
}

export const setStateCommand = defineChangeCommand('set-state', {
  summary: 'Change the state of an invoice. Its history records the author and the reason.',
  example: 'set-state demo.example 9005 LIQ --reason "Paid on 3 September" --local',
})
  .addArgument(new Argument('<state>', 'the new state').choices(STATE_CODES))
  .addOption(revisionOption)
  .option('--message <text>', 'message to the supplier; the reason stays internal')
  .option('--approved-amount <amount>', 'amount that you pay instead of the declared amount; AJU requires it')
  .option('--paid-on <date>', 'date of the payment; with LIQ')
  .option('--payment-reference <text>', 'reference of the payment; with LIQ')
  .option('--force', 'also change a settled invoice (LIQ)')
  .action((tenant, invoiceId, state, options) => {
    const notice = {
      message: options.message,
      approved_amount: options.approvedAmount?.replace(',', '.'),
      paid_on: options.paidOn,
      payment_reference: options.paymentReference,
    };
    return runDecision({ ...options, tenant, invoiceId, decision: state, notice });
  });

export const withdrawInvoiceCommand = defineChangeCommand('withdraw-invoice', {
  summary:
    'Withdraw an invoice that was imported by mistake. Its supplier can no longer list, open or declare it, and imports ' +
    'do not change it. restore-invoice undoes this. A declared invoice requires --revision.',
  example: 'withdraw-invoice demo.example 9001 --reason "Imported twice" --local',
})
  .addOption(revisionOption)
  .option('--force', 'also withdraw a settled invoice (LIQ)')
  .action((tenant, invoiceId, { revision = 0, ...options }) =>
    runDecision({ ...options, tenant, invoiceId, decision: 'WITHDRAW', revision }),
  );

export const restoreInvoiceCommand = defineChangeCommand('restore-invoice', {
  summary: 'Restore a withdrawn invoice, with its state and its declarations.',
  example: 'restore-invoice demo.example 9001 --reason "Not a duplicate" --local',
}).action((tenant, invoiceId, options) => runDecision({ ...options, tenant, invoiceId, decision: 'RESTORE' }));
