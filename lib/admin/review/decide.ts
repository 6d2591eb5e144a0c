import type { DeclarationRevision } from '../../domain/declaration.ts';
import { movedTo, stateChangeOf } from '../../domain/invoice-state-change.ts';
import { mayMove } from '../../domain/invoice-states.ts';
import type { Invoice, SupplierScope } from '../../domain/invoice.ts';
import type { Clock } from '../../runtime/clock.ts';
import { inPool } from '../../runtime/pool.ts';
import { inChunks } from '../../runtime/pages.ts';
import { revisionFault } from '../invoices/change-state.ts';
import { type RowPlan, writeRows } from '../invoices/write-rows.ts';
import { createZeroVariantFinder, type FindZeroVariants } from '../invoices/zero-variants.ts';
import type { AdminPorts } from '../ports/admin-ports.ts';
import type { Decision } from './decision-record.ts';

/** What became of a decision, or why it was rejected. */
export type DecisionOutcome = 'decided' | 'unchanged' | { readonly fault: string };

/** Who decides, and who hears of it; `stop` ends the writing early, between two transactions. */
export interface DecideOptions {
  readonly tenant: string;
  readonly decidedBy: string;
  readonly clock: Clock;
  readonly report: (decision: Decision, outcome: DecisionOutcome) => void;
  readonly stop?: AbortSignal;
}

type Ports = Pick<AdminPorts, 'invoices' | 'declarations' | 'invoiceWriter' | 'invoiceIds'>;
type Readers = Pick<Ports, 'invoices' | 'declarations'> & { readonly findZeroVariants: FindZeroVariants };
type Plan = RowPlan<DecisionOutcome>;

const PARALLEL_SUPPLIERS = 8;
const MAX_READ = 100;
// What is written between two looks at `stop`.
const WRITTEN_TOGETHER = 500;

/**
 * Writes decisions of different invoices, each on the condition that its author has seen the declaration and the
 * amounts that stand. Nothing is written before all have been checked.
 */
export async function decide(ports: Ports, decisions: readonly Decision[], options: DecideOptions): Promise<void> {
  const { tenant, report, stop } = options;
  const readers: Readers = { ...ports, findZeroVariants: createZeroVariantFinder(ports) };
  const suppliers = [...Map.groupBy(decisions, ({ supplierId }) => supplierId)];
  const accepted = new Map<string, Decision[]>();
  await inPool(suppliers, PARALLEL_SUPPLIERS, async ([supplierId, own]) => {
    const plans = stop?.aborted ? [] : await planAll(readers, { tenant, supplierId }, own, options);
    const possible = own.filter((decision, index) => {
      const plan = plans[index];
      if (plan && !plan.change) report(decision, plan.outcome);
      return plan?.change;
    });
    accepted.set(supplierId, possible);
  });
  await inPool([...accepted], PARALLEL_SUPPLIERS, async ([supplierId, own]) => {
    const scope = { tenant, supplierId };
    for (let start = 0; start < own.length; start += WRITTEN_TOGETHER) {
      if (stop?.aborted) return;
      await writeRows<Decision, DecisionOutcome>(
        ports.invoiceWriter,
        scope,
        own.slice(start, start + WRITTEN_TOGETHER),
        {
          invoiceIdOf: ({ invoiceId }) => invoiceId,
          plan: (rows) => planAll(readers, scope, rows, options),
          rejected: (fault) => ({ fault }),
          report,
        },
      );
    }
  });
}

/** Plans decisions on invoices of a supplier, as these are now. */
async function planAll(
  readers: Readers,
  scope: SupplierScope,
  decisions: readonly Decision[],
  author: Pick<DecideOptions, 'decidedBy' | 'clock'>,
): Promise<Plan[]> {
  const parts = inChunks(decisions, MAX_READ).map((some) => planSome(readers, scope, some, author));
  return (await Promise.all(parts)).flat();
}

async function planSome(
  { invoices, declarations, findZeroVariants }: Readers,
  scope: SupplierScope,
  decisions: readonly Decision[],
  author: Pick<DecideOptions, 'decidedBy' | 'clock'>,
): Promise<Plan[]> {
  const invoiceIds = decisions.map(({ invoiceId }) => invoiceId);
  const found = await invoices.getMany(scope, invoiceIds);
  const missingIds = invoiceIds.filter((id) => !found.has(id));
  const variants = missingIds.length > 0 ? await findZeroVariants(scope, missingIds) : null;
  const stale = decisions.filter(({ invoiceId, revision }) => revision !== revisionOf(found.get(invoiceId)));
  const revisions = stale.length > 0 ? await declarations.revisions(scope, stale) : [];
  const seen = new Map(revisions.map((revision) => [revision.invoiceId, revision]));
  return decisions.map((decision) => {
    const invoice = found.get(decision.invoiceId);
    if (invoice) return planOne(decision, invoice, seen.get(decision.invoiceId), author);
    return { change: null, outcome: { fault: missingFault(variants?.get(decision.invoiceId)) } };
  });
}

function missingFault(zeroVariant: string | undefined): string {
  const fault = 'invoice_id: the supplier has no such invoice';
  if (zeroVariant === undefined) return fault;
  return `${fault}, but has ${zeroVariant}: a spreadsheet may have removed the leading zeros`;
}

function planOne(
  decision: Decision,
  invoice: Invoice,
  seen: DeclarationRevision | undefined,
  { decidedBy, clock }: Pick<DecideOptions, 'decidedBy' | 'clock'>,
): Plan {
  const fault = staleFault(decision, invoice, seen) ?? moveFault(decision, invoice);
  if (fault) return { change: null, outcome: { fault } };
  const after = movedTo(invoice, decision.state);
  const author = { changedBy: decidedBy, reason: decision.reason, now: clock.now() };
  const stateChange = stateChangeOf(invoice, after, author);
  if (!stateChange) return { change: null, outcome: 'unchanged' };
  return { change: { before: invoice, after, revisions: [], stateChange }, outcome: 'decided' };
}

/** What a decision was made on that is not so any more, or never was. */
function staleFault(decision: Decision, invoice: Invoice, seen: DeclarationRevision | undefined): string | null {
  const { declaration } = invoice;
  if (decision.revision !== revisionOf(invoice)) return revisionFault(decision.revision, invoice, seen?.amount);
  if (decision.declarationId && decision.declarationId !== declaration?.declarationId) {
    return `declaration_id: is ${declaration?.declarationId ?? 'none'}`;
  }
  const amounts = [
    ['declared_amount', decision.declaredAmount, declaration?.amount ?? null],
    ['system_amount', decision.systemAmount, invoice.systemAmount],
  ] as const;
  for (const [name, said, stands] of amounts) {
    if (said && !(stands && said.eq(stands))) return `${name}: ${said.toFixed()} → ${stands?.toFixed() ?? 'none'}`;
  }
  // An old sheet would take back what somebody else has decided since.
  const { seenState, state } = decision;
  const isAsSeen = seenState === null || seenState === invoice.state || state === invoice.state;
  return isAsSeen ? null : `state_code: ${seenState} → ${invoice.state}`;
}

function moveFault({ state }: Decision, invoice: Invoice): string | null {
  if (mayMove(invoice.state, state)) return null;
  return `decision: the invoice is ${invoice.state}, which is the end; only set-state --force leaves it`;
}

const revisionOf = (invoice: Invoice | undefined) => invoice?.declaration?.revision ?? 0;
