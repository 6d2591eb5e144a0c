import { readTenant } from '../directory/read-directory.ts';
import { type Rejection, type RowPlan, writeRows } from '../tables/write-rows.ts';
import { createZeroVariantFinder, type FindZeroVariants } from '../import/zero-variants.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { toDecimal } from '../input/decimal-text.ts';
import { withState, withWithdrawal } from '../../../lib/domain/invoice-change.ts';
import { canTransition } from '../../../lib/domain/invoice-states.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { splitIntoChunks } from '../../../lib/runtime/pages.ts';
import { defineCommand, dryRunOption, runCommand, stopSignal } from '../command.ts';
import { decimalOption, formatOption, openInput } from '../import/import-files.ts';
import { byOption, identifyAuthor, readText } from '../invoice-options.ts';
import { openRejects } from '../import/rejects-file.ts';
import { formatDecimal, languageOption, translate } from '../texts/language.ts';
import { opsTexts, rejectionTexts } from '../texts/ops-texts.ts';
import { buildRejectedSheet, type Decision, isDecision, readReviewSheet } from './review-sheet.ts';
import { findRevisionError } from './set-state.ts';

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
  .option(
    '--rejects <file>',
    'file of the rejected rows (default: FILE.rejected.xlsx for an .xlsx, otherwise FILE.rejected.csv)',
  )
  .addOption(dryRunOption)
  .addOption(languageOption)
  .action((file, { tenant, reason: defaultReason, by, decimal, ...options }) =>
    runCommand(options, async (session) => {
      const { ports, operator, host } = session;
      const stop = stopSignal(host);
      const decidedBy = await identifyAuthor(operator, by);
      const reason = defaultReason === undefined ? undefined : readText('--reason', defaultReason);
      await readTenant(ports, tenant);
      const input = await openInput(file, options, host.stdin, stop, (format) => (format === 'xlsx' ? 'xlsx' : 'csv'));
      const { rows, undecided, readAs, dialect } = await readReviewSheet(input, { reason, decimal, signal: stop });

      const counts = { decided: 0, unchanged: 0 };
      const report = ({ errors }: Decision, outcome: DecisionOutcome) => {
        if (typeof outcome === 'string') counts[outcome] += 1;
        else errors.push(outcome.error);
      };
      const rejects = await openRejects(session, input.rejectsPath);
      let failure: unknown = null;
      try {
        await applyDecisions(ports, rows.filter(isDecision), { tenant, decidedBy, stop }, report);
      } catch (error) {
        failure = error;
      }
      // `report` has added an error to each decision that could not be applied.
      const rejected = rows.filter((row) => !isDecision(row));
      for (const { errors } of rejected) rejects.add(errors);
      await rejects.write(await buildRejectedSheet(rejected, input.rejectsPath, dialect));
      const { decided, unchanged } = counts;
      const countsLine = translate(opsTexts.decisionCounts(decided, unchanged, undecided, rejected.length));
      return rejects.report({
        lines: [...readAs, countsLine],
        interruption: stop.aborted ? translate(opsTexts.interrupted) : null,
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

export type DecisionOutcome = 'decided' | 'unchanged' | Rejection;

interface Ports extends Pick<AdminPorts, 'commit'> {
  readonly invoices: Pick<AdminPorts['invoices'], 'getMany' | 'readIdsWithLeadingZeros'>;
}

const PARALLEL_SUPPLIERS = 8;
// The maximum number of decisions that are written before `stop` is checked again.
const DECISIONS_PER_WRITE = 500;

/**
 * Writes decisions on different invoices. A decision is rejected if its row differs from the current invoice, for
 * example because the supplier has declared again.
 */
export async function applyDecisions(
  ports: Ports,
  decisions: readonly Decision[],
  { tenant, decidedBy, stop }: { readonly tenant: string; readonly decidedBy: string; readonly stop: AbortSignal },
  report: (decision: Decision, outcome: DecisionOutcome) => void,
): Promise<void> {
  const findZeroVariants = createZeroVariantFinder(ports);
  const suppliers = [...Map.groupBy(decisions, ({ row }) => row.supplier_id)];
  await forEachConcurrent(suppliers, PARALLEL_SUPPLIERS, async ([supplierId, supplierDecisions]) => {
    const scope = { tenant, supplierId };
    for (const chunk of splitIntoChunks(supplierDecisions, DECISIONS_PER_WRITE)) {
      if (stop.aborted) return;
      await writeRows<Decision, DecisionOutcome>(ports.commit, scope, chunk, {
        getInvoiceId: ({ row }) => row.invoice_id,
        plan: (rows) => planDecisions({ ...ports, findZeroVariants }, scope, rows, decidedBy),
        report,
      });
    }
  });
}

async function planDecisions(
  { invoices, findZeroVariants }: Ports & { readonly findZeroVariants: FindZeroVariants },
  scope: SupplierScope,
  decisions: readonly Decision[],
  changedBy: string,
): Promise<RowPlan<DecisionOutcome>[]> {
  const invoiceIds = decisions.map(({ row }) => row.invoice_id);
  const current = await invoices.getMany(scope, invoiceIds);
  const variants = await findZeroVariants(
    scope,
    invoiceIds.filter((id) => !current.has(id)),
  );
  const reject = (error: string) => ({ change: null, outcome: { error } });
  return decisions.map(({ row, reason }): RowPlan<DecisionOutcome> => {
    const id = row.invoice_id;
    const before = current.get(id);
    if (!before) return reject(describeMissingInvoice(variants.get(id)));
    const error = findError(row, before);
    if (error) return reject(error);
    if (isInEffect(before, row.decision)) return { change: null, outcome: 'unchanged' };
    const change = { before, after: applyDecision(before, row.decision), author: { changedBy, reason } };
    return { change, outcome: 'decided' };
  });
}

/** True if the invoice is already as a decision wants it, for example because the sheet was applied before. */
function isInEffect({ isWithdrawn, state }: Invoice, decision: Decision['row']['decision']): boolean {
  if (decision === 'WITHDRAW') return isWithdrawn;
  if (decision === 'RESTORE') return !isWithdrawn;
  return state === decision;
}

function applyDecision(invoice: Invoice, decision: Decision['row']['decision']): Invoice {
  const now = systemClock.now();
  if (decision === 'WITHDRAW' || decision === 'RESTORE') return withWithdrawal(invoice, decision === 'WITHDRAW', now);
  return withState(invoice, decision, now);
}

/** Describes the error of an id that the supplier does not have. `variant` is a stored id with other leading zeros. */
function describeMissingInvoice(variant: string | undefined): string {
  return `invoice_id: ${translate(variant ? rejectionTexts.noInvoiceButVariant(variant) : rejectionTexts.noInvoice)}`;
}

/**
 * Finds the error of a row whose revision, declaration, amounts or state differ from those of the invoice, or whose
 * decision the invoice does not allow. A column that is absent or empty is not compared, except the revision.
 */
function findError(row: Decision['row'], invoice: Invoice): string | null {
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
  return findDecisionError(invoice, row.decision) ?? findVersionError(row, invoice);
}

/**
 * Finds the error of a row whose state or version differs from the invoice. An old sheet would otherwise revert a later
 * decision of another person. To withdraw and to restore, a row needs a version.
 */
function findVersionError(row: Decision['row'], invoice: Invoice): string | null {
  if (isInEffect(invoice, row.decision)) return null;
  if (row.state_code && row.state_code !== invoice.state) return `state_code: ${row.state_code} → ${invoice.state}`;
  const isWithdrawal = row.decision === 'WITHDRAW' || row.decision === 'RESTORE';
  if (!row.version) return isWithdrawal ? `version: ${translate(rejectionTexts.requiredVersion)}` : null;
  const hasVersion = Number(row.version) === invoice.version;
  return hasVersion ? null : `version: ${translate(rejectionTexts.otherVersion(row.version, invoice.version))}`;
}

/** Finds the error of a decision that an invoice does not allow. A decision that changes nothing is allowed. */
function findDecisionError({ isWithdrawn, state }: Invoice, decision: Decision['row']['decision']): string | null {
  if (decision === 'RESTORE') return null;
  if (decision === 'WITHDRAW') {
    const isAllowed = isWithdrawn || state !== 'LIQ';
    return isAllowed ? null : `decision: ${translate(rejectionTexts.settled(state, 'withdraw-invoice'))}`;
  }
  if (isWithdrawn) return `invoice_id: ${translate(rejectionTexts.withdrawn)}`;
  if (canTransition(state, decision)) return null;
  return `decision: ${translate(rejectionTexts.settled(state, 'set-state'))}`;
}
