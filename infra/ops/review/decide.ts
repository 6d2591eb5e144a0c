import type { Format } from '../import/read-records.ts';
import { readTenant } from '../directory/read-directory.ts';
import { type Rejection, type RowPlan, writeRows } from '../invoices/write-rows.ts';
import { createZeroVariantFinder, type FindZeroVariants } from '../import/zero-variants.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { toDecimal } from '../decimal-text.ts';
import { withState, stateChangeOf } from '../../../lib/domain/invoice-state-change.ts';
import { canTransition } from '../../../lib/domain/invoice-states.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import type { Decimal } from '../../../lib/domain/money.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { inChunks } from '../../../lib/runtime/pages.ts';
import { defineCommand, dryRunOption, type ExitCode, runCommand, type Session, stopSignal } from '../command.ts';
import { decimalOption, formatOption, openInput } from '../import/import-files.ts';
import { byOption, identifyAuthor, readText } from '../invoices/invoice-options.ts';
import { runWithRejects } from '../import/rejects-file.ts';
import { buildRejectedSheet, type Decision, readReviewSheet, type ReviewSheet } from './review-sheet.ts';
import { describeRevisionConflict } from '../invoices/set-state.ts';

/** `decide`: applies the decisions of a review sheet. */
export const decideCommand = defineCommand('decide', {
  summary:
    'Apply the decisions in a review sheet. A decision is rejected if the supplier has declared again since the ' +
    'sheet was exported.',
  example: 'decide infra/ops/invoices/sample-review.csv --tenant demo.example --local',
})
  .argument('<file>', 'the sheet of list-invoices (CSV or .xlsx), or NDJSON with its columns; - reads standard input')
  .requiredOption('--tenant <tenant>', 'tenant of the invoices')
  .option('--reason <text>', 'reason of the rows without one')
  .addOption(byOption)
  .addOption(formatOption)
  .addOption(decimalOption)
  .option('--rejects <file>', 'file of the rejected rows (default: FILE.rejected.xlsx for a workbook, else .csv)')
  .addOption(dryRunOption)
  .action((file, { tenant, reason, by, decimal, ...options }) =>
    runCommand(options, async (session) => {
      const stop = stopSignal(session.host);
      const toEnding = (format: Format) => (format === 'xlsx' ? 'xlsx' : 'csv');
      const input = await openInput(file, options, session.host.stdin, stop, toEnding);
      try {
        const decidedBy = await identifyAuthor(session.operator, by);
        const why = reason === undefined ? undefined : readText('--reason', reason);
        await readTenant(session.ports, tenant);
        const sheet = await readReviewSheet(input, { reason: why, decimal, signal: stop });
        return await decide(sheet, input.rejectsPath, { tenant, decidedBy, stop }, session);
      } finally {
        await input.close();
      }
    }),
  );

/** Applies the decisions of a sheet, and prints the result of each kind of row. */
function decide(
  { decisions, rejected, undecided, understood, dialect }: ReviewSheet,
  path: string,
  options: DecideOptions,
  session: Session,
): Promise<ExitCode> {
  const counts = { decided: 0, unchanged: 0 };
  return runWithRejects(
    session,
    { path },
    async (addRejected, write) => {
      try {
        await applyDecisions(session.ports, decisions, options, (decision, outcome) => {
          if (typeof outcome === 'string') counts[outcome] += 1;
          else rejected.push({ ...decision, errors: [outcome.error] });
        });
      } finally {
        for (const { errors } of rejected) addRejected(errors);
        await write(await buildRejectedSheet(rejected, path, dialect));
      }
    },
    () => {
      const { decided, unchanged } = counts;
      const others = `${undecided} without a decision, ${rejected.length} rejected`;
      return {
        lines: [...understood, `${decided} decided, ${unchanged} unchanged, ${others}`],
        interruption: options.stop.aborted ? 'Interrupted. To continue, run the command again.' : null,
        document: {
          ...{ ...counts, undecided, rejected: rejected.length },
          ...(understood.length > 0 && { read_as: understood }),
        },
      };
    },
  );
}

export type DecisionOutcome = 'decided' | 'unchanged' | Rejection;

/** The options of applying decisions; `stop` ends the writing between two transactions. */
interface DecideOptions {
  readonly tenant: string;
  readonly decidedBy: string;
  readonly stop: AbortSignal;
}

type Readers = Pick<AdminPorts, 'invoices' | 'declarations'> & { readonly findZeroVariants: FindZeroVariants };

const PARALLEL_SUPPLIERS = 8;
// The maximum decisions that are written before `stop` is checked again.
const DECISIONS_PER_WRITE = 500;

/** Writes decisions on different invoices. A decision is rejected if the reviewer has not seen the current invoice. */
export async function applyDecisions(
  ports: Pick<AdminPorts, 'invoices' | 'declarations' | 'commit' | 'idsWithLeadingZeros'>,
  decisions: readonly Decision[],
  { tenant, decidedBy, stop }: DecideOptions,
  report: (decision: Decision, outcome: DecisionOutcome) => void,
): Promise<void> {
  const readers: Readers = { ...ports, findZeroVariants: createZeroVariantFinder(ports) };
  const suppliers = [...Map.groupBy(decisions, ({ row }) => row.supplier_id)];
  await forEachConcurrent(suppliers, PARALLEL_SUPPLIERS, async ([supplierId, own]) => {
    const scope = { tenant, supplierId };
    for (const some of inChunks(own, DECISIONS_PER_WRITE)) {
      if (stop.aborted) return;
      await writeRows<Decision, DecisionOutcome>(ports.commit, scope, some, {
        getInvoiceId: ({ row }) => row.invoice_id,
        plan: (rows) => planDecisions(readers, scope, rows, decidedBy),
        report,
      });
    }
  });
}

/** Plans decisions on the current invoices of a supplier. */
async function planDecisions(
  { invoices, declarations, findZeroVariants }: Readers,
  scope: SupplierScope,
  decisions: readonly Decision[],
  changedBy: string,
): Promise<RowPlan<DecisionOutcome>[]> {
  const invoiceIds = decisions.map(({ row }) => row.invoice_id);
  const found = await invoices.getMany(scope, invoiceIds);
  const missingIds = invoiceIds.filter((id) => !found.has(id));
  const variants = await findZeroVariants(scope, missingIds);
  const stale = decisions
    .map(({ row }) => ({ invoiceId: row.invoice_id, revision: getSeenRevision(row) }))
    .filter(({ invoiceId, revision }) => revision !== getRevision(found.get(invoiceId)));
  const revisions = await declarations.revisions(scope, stale);
  const seenAmounts = new Map(revisions.map(({ invoiceId, amount }) => [invoiceId, amount]));
  return decisions.map(({ row, reason }) => {
    const id = row.invoice_id;
    const invoice = found.get(id);
    if (!invoice) return { change: null, outcome: { error: describeMissingInvoice(variants.get(id)) } };
    const error = findError(row, invoice, seenAmounts.get(id));
    if (error) return { change: null, outcome: { error } };
    const after = withState(invoice, row.decision);
    const stateChange = stateChangeOf(invoice, after, { changedBy, reason, now: systemClock.now() });
    if (!stateChange) return { change: null, outcome: 'unchanged' };
    return { change: { before: invoice, after, revisions: [], stateChange }, outcome: 'decided' };
  });
}

function describeMissingInvoice(zeroVariant: string | undefined): string {
  const error = 'invoice_id: the supplier has no such invoice';
  if (zeroVariant === undefined) return error;
  return `${error}, but has ${zeroVariant}: a spreadsheet may have removed the leading zeros`;
}

/**
 * Returns the error of a row whose revision, declaration, amounts or state differ from those of the invoice, or whose
 * invoice is settled; otherwise null. A column that is absent or empty is not compared, except the revision.
 */
function findError(row: Decision['row'], invoice: Invoice, seenAmount: Decimal | undefined): string | null {
  const { declaration, state } = invoice;
  const revision = getSeenRevision(row);
  if (revision !== getRevision(invoice)) return describeRevisionConflict(revision, invoice, seenAmount);
  if (row.declaration_id && row.declaration_id !== declaration?.declarationId) {
    return `declaration_id: is ${declaration?.declarationId ?? 'none'}`;
  }
  const amounts = { declared_amount: declaration?.amount, system_amount: invoice.systemAmount };
  for (const [name, current] of Object.entries(amounts)) {
    const seen = row[name as keyof typeof amounts];
    if (!seen || current?.eq(toDecimal(seen))) continue;
    return `${name}: ${toDecimal(seen).toFixed()} → ${current?.toFixed() ?? 'none'}`;
  }
  // An old sheet would otherwise revert a later decision of another person.
  if (row.state_code && ![row.state_code, row.decision].includes(state))
    return `state_code: ${row.state_code} → ${state}`;
  if (canTransition(state, row.decision)) return null;
  return `decision: the invoice is settled (${state}); only set-state --force can change it`;
}

/** Returns the revision that the reviewer has seen; 0: the invoice had no declaration. */
const getSeenRevision = (row: Decision['row']) => Number(row.revision ?? 0);

const getRevision = (invoice: Invoice | undefined) => invoice?.declaration?.revision ?? 0;
