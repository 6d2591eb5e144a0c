import type { Invoice } from '../../../lib/domain/invoice.ts';
import { isEqualDecimal } from '../../../lib/domain/money.ts';
import type { NoticeChange } from '../../../lib/domain/notice.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, dryRunOption, runCommand, stopSignal } from '../command.ts';
import { readTenant } from '../directory/read-directory.ts';
import { dayFirstOption, decimalOption, formatOption, openInput } from '../import/import-files.ts';
import { openRejects } from '../import/rejects-file.ts';
import { toDecimal } from '../input/decimal-text.ts';
import { toNoticeChange } from '../input/notice-fields.ts';
import { byOption, identifyAuthor, readText } from '../invoice-options.ts';
import { changeInvoices, type CurrentInvoice, type RowPlan } from '../tables/change-invoices.ts';
import { formatDecimal, languageOption, translate } from '../texts/language.ts';
import { opsTexts, rejectionTexts } from '../texts/ops-texts.ts';
import { applyDecision, findDecisionError, findRevisionError, isInEffect } from './decision.ts';
import { buildRejectedSheet, type DecidedRow, isDecided, readReviewSheet } from './review-sheet.ts';

export const decideCommand = defineCommand('decide', {
  summary:
    'Apply the decisions in a review sheet. A decision is rejected if its invoice has changed since the sheet was ' +
    'exported.',
  example: 'decide infra/ops/guides/sample-review.csv --tenant demo.example --local',
})
  .argument(
    '<file>',
    'review sheet of list-invoices (CSV or .xlsx), or NDJSON with the same fields; - reads standard input',
  )
  .requiredOption('--tenant <tenant>', 'tenant of the invoices')
  .option('--reason <text>', 'reason for the rows that have no reason')
  .addOption(byOption)
  .addOption(formatOption)
  .addOption(decimalOption)
  .addOption(dayFirstOption)
  .option(
    '--rejects <file>',
    'file of the rejected rows (default: FILE.rejected.xlsx for an .xlsx, otherwise FILE.rejected.csv)',
  )
  .addOption(dryRunOption)
  .addOption(languageOption)
  .action((file, { tenant, reason: defaultReason, by, decimal, dayFirst, ...options }) =>
    runCommand(options, async (session) => {
      const { ports, operator, host } = session;
      const stop = stopSignal(host);
      const decidedBy = await identifyAuthor(operator, by);
      const reason = defaultReason === undefined ? undefined : readText('--reason', defaultReason);
      await readTenant(ports, tenant);
      const getRejectsExtension = (format: string) => (format === 'xlsx' ? 'xlsx' : 'csv');
      await using input = await openInput(file, options, host.stdin, stop, getRejectsExtension);
      const { rows, undecided, readAs, dialect } = await readReviewSheet(input, {
        reason,
        decimal,
        dates: dayFirst ? 'dmy' : undefined,
        signal: stop,
      });

      const counts = { decided: 0, unchanged: 0 };
      const rejects = await openRejects(session, input.rejectsPath);
      const failure: unknown = await changeInvoices<DecidedRow, DecisionOutcome>(ports, rows.filter(isDecided), {
        tenant,
        getKey: ({ row }) => ({ supplierId: row.supplier_id, invoiceId: row.invoice_id }),
        plan: (row, current) => planDecision(row, current, decidedBy),
        report({ errors }, outcome) {
          if (typeof outcome === 'string') counts[outcome] += 1;
          else errors.push(outcome.error);
        },
        stop,
      }).catch((error: unknown) => error);
      // Each decision that could not be applied has an error now.
      const rejected = rows.filter((row) => !isDecided(row));
      for (const { errors } of rejected) rejects.add(errors);
      await rejects.write(await buildRejectedSheet(rejected, input.rejectsPath, dialect));
      const { decided, unchanged } = counts;
      const countsLine = translate(opsTexts.decisionCounts(decided, unchanged, undecided, rejected.length));
      return rejects.report({
        lines: [...readAs, countsLine],
        isInterrupted: stop.aborted,
        document: {
          ...counts,
          undecided,
          rejected: rejected.length,
          read_as: readAs.length > 0 ? readAs : undefined,
        },
        failure,
      });
    }),
  );

type DecisionOutcome = 'decided' | 'unchanged';

/**
 * Plans the change of a decision. The decision is rejected if its row differs from the current invoice, for example
 * because the supplier has declared again.
 */
export function planDecision(
  { row, reason }: Pick<DecidedRow, 'row' | 'reason'>,
  { invoice: before, zeroVariant }: CurrentInvoice,
  changedBy: string,
): RowPlan<DecisionOutcome> {
  const reject = (error: string) => ({ change: null, outcome: { error } });
  if (!before) {
    const { noInvoice, noInvoiceButVariant } = rejectionTexts;
    const error = zeroVariant === undefined ? noInvoice : noInvoiceButVariant(zeroVariant);
    return reject(`invoice_id: ${translate(error)}`);
  }
  const noticeChange = readNoticeChange(row, before);
  const error = findRowError(row, before, noticeChange);
  if (error !== null) return reject(error);
  if (isInEffect(before, row.decision, noticeChange)) return { change: null, outcome: 'unchanged' };
  const after = applyDecision(before, row.decision, noticeChange, systemClock.now());
  return { change: { before, after, author: { changedBy, reason } }, outcome: 'decided' };
}

/** Reads what the reviewer entered for the supplier. A value that the sheet already contained counts as not entered. */
function readNoticeChange(row: DecidedRow['row'], { notice }: Invoice): NoticeChange {
  const { message, approvedAmount, paidOn, paymentReference } = toNoticeChange(row);
  return {
    message: message === notice.message ? undefined : message,
    approvedAmount: isEqualDecimal(approvedAmount, notice.approvedAmount) ? undefined : approvedAmount,
    paidOn: paidOn === notice.paidOn ? undefined : paidOn,
    paymentReference: paymentReference === notice.paymentReference ? undefined : paymentReference,
  };
}

/**
 * Finds the error of a row whose revision, declaration, amounts or state differ from those of the invoice, or whose
 * decision the invoice does not allow. A column that is absent or empty is not compared, except the revision.
 */
function findRowError(row: DecidedRow['row'], invoice: Invoice, noticeChange: NoticeChange): string | null {
  const { declaration, systemAmount } = invoice;
  // A row without a revision is of an invoice without a declaration.
  const revisionError = findRevisionError(Number(row.revision ?? 0), invoice);
  if (revisionError !== null) return revisionError;
  if (row.declaration_id && row.declaration_id !== declaration?.declarationId) {
    return `declaration_id: ${translate(rejectionTexts.otherDeclaration(declaration?.declarationId ?? translate(opsTexts.none)))}`;
  }
  const amounts = [
    { name: 'declared_amount', seen: row.declared_amount, current: declaration?.amount },
    { name: 'system_amount', seen: row.system_amount, current: systemAmount },
  ];
  for (const { name, seen, current } of amounts) {
    if (!seen || current?.eq(toDecimal(seen))) continue;
    return `${name}: ${formatDecimal(toDecimal(seen))} → ${current ? formatDecimal(current) : translate(opsTexts.none)}`;
  }
  const decisionError = findDecisionError(invoice, row.decision, noticeChange);
  return decisionError === null ? findVersionError(row, invoice, noticeChange) : `decision: ${decisionError}`;
}

/**
 * Finds the error of a row whose state or version differs from the invoice. An old sheet would otherwise revert a later
 * decision of another person. To withdraw and to restore, a row needs a version.
 */
function findVersionError(row: DecidedRow['row'], invoice: Invoice, noticeChange: NoticeChange): string | null {
  if (isInEffect(invoice, row.decision, noticeChange)) return null;
  if (row.state_code && row.state_code !== invoice.state) return `state_code: ${row.state_code} → ${invoice.state}`;
  const isWithdrawal = row.decision === 'WITHDRAW' || row.decision === 'RESTORE';
  if (!row.version) return isWithdrawal ? `version: ${translate(rejectionTexts.requiredVersion)}` : null;
  const hasVersion = Number(row.version) === invoice.version;
  return hasVersion ? null : `version: ${translate(rejectionTexts.otherVersion(row.version, invoice.version))}`;
}
