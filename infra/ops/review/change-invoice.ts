import { Argument, Option } from '@commander-js/extra-typings';
import { toStateChangeDocument } from '../../../lib/contracts/events.ts';
import { toNoticeFields } from '../../../lib/contracts/to-response.ts';
import type { StateChange } from '../../../lib/domain/invoice-change.ts';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import type { NoticeChange } from '../../../lib/domain/notice.ts';
import { type CommonOptions, dryRunOption, matching, runCommand, type Session } from '../command.ts';
import { NOTICE_PROPERTIES } from '../import/record-schema.ts';
import { compileSchema } from '../input/compile-schema.ts';
import { type NoticeFields, toNoticeChange } from '../input/notice-fields.ts';
import { byOption, defineInvoiceCommand, findInvoice, identifyAuthor, readText } from '../invoice-options.ts';
import { OperatorError } from '../operator-errors.ts';
import { languageOption, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { type DecisionOnInvoice, decideOnInvoice } from './decide-on-invoice.ts';
import type { Decision } from './decision.ts';

const findNoticeErrors = compileSchema({ type: 'object', properties: NOTICE_PROPERTIES });

const revisionOption = new Option(
  '--revision <number>',
  'change it only if the current declaration has this revision (0: no declaration)',
).argParser((text) => Number(matching(/^\d{1,10}$/, 'the number of a revision, or 0')(text)));

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

interface DecisionOptions extends CommonOptions, Pick<DecisionOnInvoice, 'revision' | 'force'> {
  readonly tenant: string;
  readonly invoiceId: string;
  readonly decision: Decision;
  readonly supplier?: string | undefined;
  readonly reason: string;
  readonly by?: string | undefined;
  /** The options that the supplier sees. */
  readonly notice?: NoticeFields | undefined;
}

function runDecision(options: DecisionOptions): Promise<void> {
  return runCommand(options, (session) => applyToInvoice(session, options));
}

async function applyToInvoice({ ports, operator, output }: Session, options: DecisionOptions): Promise<void> {
  const { tenant, invoiceId, decision, supplier, revision, force, notice = {} } = options;
  const noticeChange = readNoticeChange(notice);
  const author = {
    reason: readText('--reason', options.reason),
    changedBy: await identifyAuthor(operator, options.by),
  };
  const acceptedInvoice = decision === 'RESTORE' ? 'withdrawn' : 'listed';
  const found = await findInvoice(ports, { tenant, invoiceId, supplierId: supplier }, acceptedInvoice);
  const change = await decideOnInvoice(ports, found, decision, { author, revision, noticeChange, force });

  const { supplierId } = found.scope;
  const result = change
    ? `${describeResult(decision, change)} ${translate(opsTexts.by)} ${author.changedBy}: ${author.reason}`
    : `${translate(opsTexts.already)} ${decision}. ${translate(opsTexts.nothingChanged)}`;
  const owner = `${translate(opsTexts.titles.supplier)} ${supplierId}`;
  output.line(`${translate(opsTexts.invoice(invoiceId, owner))}: ${result}`);
  output.document({
    tenant,
    supplier_id: supplierId,
    invoice_id: invoiceId,
    changed: change !== null,
    withdrawn: decision === 'WITHDRAW',
    ...(change && {
      ...toStateChangeDocument(change),
      ...toNoticeFields(change.notice),
      changed_by: author.changedBy,
      reason: author.reason,
    }),
  });
}

/** Throws an OperatorError that names each invalid option. */
function readNoticeChange(fields: NoticeFields): NoticeChange {
  const errors = findNoticeErrors(fields, '').map(describeOptionError);
  if (errors.length > 0) throw new OperatorError(translate(opsTexts.notChanged(errors.join('; '))));
  return toNoticeChange(fields);
}

/** Replaces the field of an error with its option: `paid_on: must be …` becomes `--paid-on must be …`. */
function describeOptionError(error: string): string {
  const [field = '', reason] = error.split(': ');
  return `--${field.replaceAll('_', '-')} ${reason}`;
}

function describeResult(decision: Decision, { from, to }: StateChange): string {
  if (decision === 'WITHDRAW' || decision === 'RESTORE') return translate(opsTexts.decisions[decision]);
  return `${from} -> ${to}`;
}
