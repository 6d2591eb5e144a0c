import type { DeclarationRevision } from '../../../lib/domain/declaration.ts';
import { withState, stateChangeOf } from '../../../lib/domain/invoice-state-change.ts';
import { canTransition } from '../../../lib/domain/invoice-states.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import type { Clock } from '../../../lib/runtime/clock.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { inChunks } from '../../../lib/runtime/pages.ts';
import { describeRevisionConflict } from './change-state.ts';
import { type Rejection, type RowPlan, writeRows } from '../../../lib/admin/invoices/write-rows.ts';
import { createZeroVariantFinder, type FindZeroVariants } from '../../../lib/admin/invoices/zero-variants.ts';
import type { AdminPorts } from '../../../lib/composition/admin-ports.ts';
import type { Decision } from './decision-record.ts';

/** The outcome of a decision. */
export type DecisionOutcome = 'decided' | 'unchanged' | Rejection;

/** The options of applying decisions; `stop` ends the writing between two transactions. */
export interface DecideOptions {
  readonly tenant: string;
  readonly decidedBy: string;
  readonly clock: Clock;
  readonly report: (decision: Decision, outcome: DecisionOutcome) => void;
  readonly stop?: AbortSignal;
}

type Ports = Pick<AdminPorts, 'invoices' | 'declarations' | 'invoiceWriter' | 'idsWithLeadingZeros'>;
type Readers = Pick<Ports, 'invoices' | 'declarations'> & { readonly findZeroVariants: FindZeroVariants };
type Plan = RowPlan<DecisionOutcome>;

const PARALLEL_SUPPLIERS = 8;
// The maximum decisions that are written before `stop` is checked again.
const DECISIONS_PER_WRITE = 500;

/** Writes decisions on different invoices. A decision is rejected if the reviewer has not seen the current invoice. */
export async function decide(ports: Ports, decisions: readonly Decision[], options: DecideOptions): Promise<void> {
  const { tenant, report, stop } = options;
  const readers: Readers = { ...ports, findZeroVariants: createZeroVariantFinder(ports) };
  const suppliers = [...Map.groupBy(decisions, ({ supplierId }) => supplierId)];
  await forEachConcurrent(suppliers, PARALLEL_SUPPLIERS, async ([supplierId, own]) => {
    const scope = { tenant, supplierId };
    for (const some of inChunks(own, DECISIONS_PER_WRITE)) {
      if (stop?.aborted) return;
      await writeRows<Decision, DecisionOutcome>(ports.invoiceWriter, scope, some, {
        getInvoiceId: ({ invoiceId }) => invoiceId,
        plan: (rows) => planAll(readers, scope, rows, options),
        report,
      });
    }
  });
}

/** Plans decisions on the current invoices of a supplier. */
async function planAll(
  { invoices, declarations, findZeroVariants }: Readers,
  scope: SupplierScope,
  decisions: readonly Decision[],
  { decidedBy, clock }: Pick<DecideOptions, 'decidedBy' | 'clock'>,
): Promise<Plan[]> {
  const invoiceIds = decisions.map(({ invoiceId }) => invoiceId);
  const found = await invoices.getMany(scope, invoiceIds);
  const missingIds = invoiceIds.filter((id) => !found.has(id));
  const variants = await findZeroVariants(scope, missingIds);
  const stale = decisions.filter(({ invoiceId, revision }) => revision !== getRevision(found.get(invoiceId)));
  const revisions = await declarations.revisions(scope, stale);
  const seen = new Map(revisions.map((revision) => [revision.invoiceId, revision]));
  return decisions.map((decision) => {
    const { invoiceId, state, reason } = decision;
    const invoice = found.get(invoiceId);
    if (!invoice) return { change: null, outcome: { error: describeMissingInvoice(variants.get(invoiceId)) } };
    const error = findError(decision, invoice, seen.get(invoiceId));
    if (error) return { change: null, outcome: { error } };
    const after = withState(invoice, state);
    const stateChange = stateChangeOf(invoice, after, { changedBy: decidedBy, reason, now: clock.now() });
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
 * Returns the error of a decision whose revision, id, amounts or state differ from those of the invoice, or whose
 * invoice is settled; otherwise null.
 */
function findError(decision: Decision, invoice: Invoice, seen: DeclarationRevision | undefined): string | null {
  const { declaration } = invoice;
  if (decision.revision !== getRevision(invoice)) {
    return describeRevisionConflict(decision.revision, invoice, seen?.amount);
  }
  if (decision.declarationId && decision.declarationId !== declaration?.declarationId) {
    return `declaration_id: is ${declaration?.declarationId ?? 'none'}`;
  }
  const amounts = [
    ['declared_amount', decision.declaredAmount, declaration?.amount ?? null],
    ['system_amount', decision.systemAmount, invoice.systemAmount],
  ] as const;
  for (const [name, expected, current] of amounts) {
    if (expected && !(current && expected.eq(current)))
      return `${name}: ${expected.toFixed()} → ${current?.toFixed() ?? 'none'}`;
  }
  // An old sheet would otherwise revert a later decision of another person.
  const { seenState, state } = decision;
  if (seenState !== null && ![seenState, state].includes(invoice.state)) {
    return `state_code: ${seenState} → ${invoice.state}`;
  }
  if (canTransition(invoice.state, state)) return null;
  return `decision: the invoice is settled (${invoice.state}); only set-state --force can change it`;
}

const getRevision = (invoice: Invoice | undefined) => invoice?.declaration?.revision ?? 0;
