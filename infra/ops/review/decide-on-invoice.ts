import { toStateChangeDocument } from '../../../lib/contracts/events.ts';
import { toNoticeFields } from '../../../lib/contracts/to-response.ts';
import { type Author, describeStateChange, type StateChange } from '../../../lib/domain/invoice-change.ts';
import type { Notice, NoticeChange } from '../../../lib/domain/notice.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { type CommonOptions, runCommand, type Session } from '../command.ts';
import { NOTICE_PROPERTIES } from '../import/record-schema.ts';
import { compileSchema } from '../input/compile-schema.ts';
import { type NoticeFields, toNoticeChange } from '../input/notice-fields.ts';
import { findInvoice, identifyAuthor, readText } from '../invoice-options.ts';
import { OperatorError } from '../operator-errors.ts';
import { changeInvoices, type ChangePorts, type CurrentInvoice, type RowPlan } from '../tables/change-invoices.ts';
import type { OwnedInvoice } from '../tables/stored-invoices.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { applyDecision, type Decision, findDecisionError, findRevisionError, isInEffect } from './decision.ts';

/** The conditions of a decision on one invoice, and what its history and its supplier see. */
interface DecisionOnInvoice {
  readonly author: Author;
  /** The expected revision of the current declaration (0: no declaration). */
  readonly revision?: number | undefined;
  readonly noticeChange?: NoticeChange;
  /** True if a settled invoice can be changed. */
  readonly force?: boolean | undefined;
}

/** The arguments and options of a command that decides on an invoice. */
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

/** The change of the state by a decision, and the notice after it. */
type AppliedDecision = StateChange & { readonly notice: Notice };

const findNoticeErrors = compileSchema({ type: 'object', properties: NOTICE_PROPERTIES });

export function runDecision(options: DecisionOptions): Promise<void> {
  return runCommand(options, (session) => applyToInvoice(session, options));
}

async function applyToInvoice({ ports, readIdentity, output }: Session, options: DecisionOptions): Promise<void> {
  const { tenant, invoiceId, decision, supplier, revision, force, notice = {} } = options;
  const noticeErrors = findNoticeErrors(notice, '');
  if (noticeErrors.length > 0) throw createError(noticeErrors.join('; '));
  const reason = readText('--reason', options.reason);
  const author = { reason, changedBy: await identifyAuthor(readIdentity, options.by) };
  const found = await findInvoice(ports, { tenant, invoiceId, supplierId: supplier });
  const conditions = { author, revision, noticeChange: toNoticeChange(notice), force };
  const change = await decideOnInvoice(ports, found, decision, conditions);

  const { supplierId } = found.scope;
  const subject = { tenant, supplier_id: supplierId, invoice_id: invoiceId };
  const withdrawn = decision === 'WITHDRAW';
  if (!change) {
    output.line(translate(opsTexts.unchangedInvoice(invoiceId, supplierId, decision)));
    output.document({ ...subject, changed: false, withdrawn });
    return;
  }
  const { changedBy } = author;
  const changeText = describeChange(decision, change);
  output.line(translate(opsTexts.changedInvoice(invoiceId, supplierId, changeText, changedBy, reason)));
  const changeFields = { ...toStateChangeDocument(change), ...toNoticeFields(change.notice) };
  output.document({ ...subject, changed: true, withdrawn, ...changeFields, changed_by: changedBy, reason });
}

/** Describes a change, such as `REV -> APR` or `withdrawn`. */
function describeChange(decision: Decision, { from, to }: StateChange): string {
  if (decision === 'WITHDRAW' || decision === 'RESTORE') return translate(opsTexts.decisions[decision]);
  return `${from} -> ${to}`;
}

/**
 * Applies a decision to an invoice. Returns null if nothing changes. Throws an OperatorError if the current invoice
 * does not allow the decision, or if another command erases it at the same time.
 */
export async function decideOnInvoice(
  ports: ChangePorts,
  { scope, invoice: { invoiceId } }: OwnedInvoice,
  decision: Decision,
  conditions: DecisionOnInvoice,
): Promise<AppliedDecision | null> {
  const { tenant, supplierId } = scope;
  const outcomes: RowPlan<AppliedDecision | null>['outcome'][] = [];
  await changeInvoices<string, AppliedDecision | null>(ports, [invoiceId], {
    tenant,
    getKey: () => ({ supplierId, invoiceId }),
    plan: (_, current) => planDecisionOnInvoice(current, decision, conditions),
    report: (_, outcome) => outcomes.push(outcome),
  });
  // The only row has one outcome. It is an error if the invoice kept changing, or if the table rejected the write.
  const [outcome = null] = outcomes;
  if (outcome && 'error' in outcome) throw new Error(translate(opsTexts.notChanged(outcome.error)));
  return outcome;
}

/** Plans the change by a decision. A change of null means that the decision is already in effect. */
function planDecisionOnInvoice(
  { invoice }: CurrentInvoice,
  decision: Decision,
  { author, revision, noticeChange = {}, force }: DecisionOnInvoice,
): RowPlan<AppliedDecision | null> {
  if (!invoice) throw createError(translate(opsTexts.unknownInvoice));
  const revisionError = revision === undefined ? null : findRevisionError(revision, invoice);
  const error = revisionError ?? findDecisionError(invoice, decision, noticeChange, force);
  if (error !== null) throw createError(error);
  if (isInEffect(invoice, decision, noticeChange)) return { change: null, outcome: null };

  const after = applyDecision(invoice, decision, noticeChange, systemClock.now());
  const stateChange = describeStateChange(invoice, after);
  const outcome = stateChange && { ...stateChange, notice: after.notice };
  return { change: { before: invoice, after, author }, outcome };
}

function createError(error: string): OperatorError {
  return new OperatorError(translate(opsTexts.notChanged(error)));
}
