import { Argument, Option } from '@commander-js/extra-typings';
import { OperatorError } from '../operator-errors.ts';
import { changeInvoices, type ChangePorts } from '../tables/change-invoices.ts';
import type { OwnedInvoice } from '../tables/stored-invoices.ts';
import { toStateChangeDocument } from '../../../lib/contracts/events.ts';
import { toNoticeFields } from '../../../lib/contracts/to-response.ts';
import { type Author, describeStateChange, type StateChange } from '../../../lib/domain/invoice-change.ts';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import type { Notice, NoticeChange } from '../../../lib/domain/notice.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { type CommonOptions, dryRunOption, matching, runCommand } from '../command.ts';
import { NOTICE_PROPERTIES } from '../import/record-schema.ts';
import { compileSchema } from '../input/compile-schema.ts';
import { type NoticeFields, toNoticeChange } from '../input/notice-fields.ts';
import { byOption, defineInvoiceCommand, findInvoice, identifyAuthor, readText } from '../invoice-options.ts';
import { languageOption, translate } from '../texts/language.ts';
import { opsTexts, rejectionTexts } from '../texts/ops-texts.ts';
import { applyDecision, type Decision, findDecisionError, findRevisionError, isInEffect } from './decision.ts';

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
  .action((tenant, invoiceId, state, { message, approvedAmount, paidOn, paymentReference, ...options }) => {
    const notice = { message, approved_amount: approvedAmount?.replace(',', '.'), paid_on: paidOn };
    return decide(tenant, invoiceId, state, { ...options, notice: { ...notice, payment_reference: paymentReference } });
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
    decide(tenant, invoiceId, 'WITHDRAW', { ...options, revision }),
  );

export const restoreInvoiceCommand = defineChangeCommand('restore-invoice', {
  summary: 'Restore a withdrawn invoice, with its state and its declarations.',
  example: 'restore-invoice demo.example 9001 --reason "Not a duplicate" --local',
}).action((tenant, invoiceId, options) => decide(tenant, invoiceId, 'RESTORE', options));

interface DecisionOptions extends CommonOptions {
  readonly supplier?: string | undefined;
  readonly reason: string;
  readonly by?: string | undefined;
  /** The expected revision of the current declaration (0: no declaration). */
  readonly revision?: number | undefined;
  /** What the supplier sees. */
  readonly notice?: NoticeFields | undefined;
  /** True if a settled invoice can be changed. */
  readonly force?: boolean | undefined;
}

/** Applies a decision to an invoice, and prints what changed. */
function decide(
  tenant: string,
  invoiceId: string,
  decision: Decision,
  { supplier, reason: text, by, revision, notice = {}, force, ...options }: DecisionOptions,
): Promise<void> {
  return runCommand(options, async ({ ports, operator, output }) => {
    const noticeChange = readNoticeChange(notice);
    const author = { reason: readText('--reason', text), changedBy: await identifyAuthor(operator, by) };
    const accepted = decision === 'RESTORE' ? 'withdrawn' : 'listed';
    const found = await findInvoice(ports, { tenant, invoiceId, supplierId: supplier }, accepted);
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
  });
}

const findFieldErrors = compileSchema({ type: 'object', properties: NOTICE_PROPERTIES });

/** Reads the options that the supplier sees. Throws an OperatorError that names each invalid option. */
function readNoticeChange(fields: NoticeFields): NoticeChange {
  const errors = findFieldErrors(fields, '').map((error) => {
    const [field = '', reason] = error.split(': ');
    return `--${field.replaceAll('_', '-')} ${reason}`;
  });
  if (errors.length > 0) throw new OperatorError(translate(opsTexts.notChanged(errors.join('; '))));
  return toNoticeChange(fields);
}

function describeResult(decision: Decision, { from, to }: StateChange): string {
  const isState = decision !== 'WITHDRAW' && decision !== 'RESTORE';
  return isState ? `${from} -> ${to}` : translate(opsTexts.decisions[decision]);
}

interface DecisionOnInvoice extends Pick<DecisionOptions, 'revision' | 'force'> {
  readonly author: Author;
  readonly noticeChange?: NoticeChange;
}

/** The change of an invoice by a decision, and its notice after the decision. */
interface AppliedDecision extends StateChange {
  readonly notice: Notice;
}

/**
 * Applies a decision to an invoice. After a conflict, plans it again with the current invoice. Returns null if nothing
 * changes. Throws an OperatorError if the current invoice does not meet the condition, or if another command withdraws,
 * restores or erases it at the same time.
 */
export async function decideOnInvoice(
  ports: ChangePorts,
  { scope, invoice: { invoiceId, isWithdrawn } }: OwnedInvoice,
  decision: Decision,
  { author, revision, noticeChange = {}, force }: DecisionOnInvoice,
): Promise<AppliedDecision | null> {
  const { tenant, supplierId } = scope;
  let result: AppliedDecision | null = null;
  await changeInvoices<string, AppliedDecision | null>(ports, [invoiceId], {
    tenant,
    getKey: () => ({ supplierId, invoiceId }),
    plan(_, { invoice: before }) {
      if (before?.isWithdrawn !== isWithdrawn) {
        throw new OperatorError(translate(opsTexts.notChanged(translate(rejectionTexts.keptChanging))));
      }
      const revisionError = revision === undefined ? null : findRevisionError(revision, before);
      const error = revisionError ?? findDecisionError(before, decision, noticeChange, force);
      if (error !== null) throw new OperatorError(translate(opsTexts.notChanged(error)));
      if (isInEffect(before, decision, noticeChange)) return { change: null, outcome: null };
      const after = applyDecision(before, decision, noticeChange, systemClock.now());
      const stateChange = describeStateChange(before, after);
      return { change: { before, after, author }, outcome: stateChange && { ...stateChange, notice: after.notice } };
    },
    report(_, outcome) {
      if (outcome && 'error' in outcome) throw new Error(translate(opsTexts.notChanged(outcome.error)));
      result = outcome;
    },
  });
  return result;
}
