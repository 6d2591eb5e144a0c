import { type Rejection, type RowPlan, writeRows } from '../../../lib/admin/invoices/write-rows.ts';
import { createZeroVariantFinder, type FindZeroVariants } from '../../../lib/admin/invoices/zero-variants.ts';
import type { AdminPorts } from '../../../lib/composition/admin-ports.ts';
import { toDecimal } from '../../../lib/domain/decimal-text.ts';
import { withState, stateChangeOf } from '../../../lib/domain/invoice-state-change.ts';
import { canTransition } from '../../../lib/domain/invoice-states.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import type { Decimal } from '../../../lib/domain/money.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { inChunks } from '../../../lib/runtime/pages.ts';
import { describeRevisionConflict } from './set-state.ts';
import type { Decision } from './review-sheet.ts';

/** The outcome of a decision. */
export type DecisionOutcome = 'decided' | 'unchanged' | Rejection;

/** The options of applying decisions; `stop` ends the writing between two transactions. */
export interface DecideOptions {
  readonly tenant: string;
  readonly decidedBy: string;
  readonly report: (decision: Decision, outcome: DecisionOutcome) => void;
  readonly stop?: AbortSignal;
}

type Readers = Pick<AdminPorts, 'invoices' | 'declarations'> & { readonly findZeroVariants: FindZeroVariants };

const PARALLEL_SUPPLIERS = 8;
// The maximum decisions that are written before `stop` is checked again.
const DECISIONS_PER_WRITE = 500;

/** Writes decisions on different invoices. A decision is rejected if the reviewer has not seen the current invoice. */
export async function applyDecisions(
  ports: Pick<AdminPorts, 'invoices' | 'declarations' | 'invoiceWriter' | 'idsWithLeadingZeros'>,
  decisions: readonly Decision[],
  { tenant, decidedBy, report, stop }: DecideOptions,
): Promise<void> {
  const readers: Readers = { ...ports, findZeroVariants: createZeroVariantFinder(ports) };
  const suppliers = [...Map.groupBy(decisions, ({ row }) => row.supplier_id)];
  await forEachConcurrent(suppliers, PARALLEL_SUPPLIERS, async ([supplierId, own]) => {
    const scope = { tenant, supplierId };
    for (const some of inChunks(own, DECISIONS_PER_WRITE)) {
      if (stop?.aborted) return;
      await writeRows<Decision, DecisionOutcome>(ports.invoiceWriter, scope, some, {
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
