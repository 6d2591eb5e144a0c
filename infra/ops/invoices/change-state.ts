import { withState, type StateChange, stateChangeOf } from '../../../lib/domain/invoice-state-change.ts';
import { canTransition, type StateCode } from '../../../lib/domain/invoice-states.ts';
import { type AttemptLimits, limitedAttempts } from '../../../lib/runtime/attempts.ts';
import type { Clock } from '../../../lib/runtime/clock.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import type { Decimal } from '../../../lib/domain/money.ts';
import type { AdminPorts, InvoiceWriter } from '../../../lib/composition/admin-ports.ts';
import type { OwnedInvoice } from '../../../lib/storage/invoices/invoice-table.ts';
import { OperatorError } from '../operator-error.ts';
import { findInvoice, type InvoiceRef } from './find-invoice.ts';

/** The author and the reason of a state change. */
export interface Author {
  readonly changedBy: string;
  readonly reason: string;
  readonly clock: Clock;
}

/** The conditions of a state change. */
export interface TransitionConditions {
  /** The expected revision of the declaration; 0: the invoice has no declaration. */
  readonly revision?: number | undefined;
  /** True if the invoice may leave LIQ. */
  readonly force?: boolean | undefined;
}

const RETRIES: AttemptLimits = { most: 10, firstMs: 10, longestMs: 200 };

/**
 * Changes the state of an invoice, and retries after conflicts; returns null if it already has the state. `require` is
 * called with the current invoice before each write, and throws if the change is not allowed.
 */
export async function changeState(
  commit: InvoiceWriter['commit'],
  { scope, invoice }: OwnedInvoice,
  state: StateCode,
  { clock, ...author }: Author,
  require: (invoice: Invoice) => Promise<void> = async () => undefined,
): Promise<StateChange | null> {
  let before = invoice;
  for await (const attempt of limitedAttempts(RETRIES)) {
    const after = withState(before, state);
    const stateChange = stateChangeOf(before, after, { ...author, now: clock.now() });
    await require(before);
    if (!stateChange) return null;
    const outcome = await commit(scope, [{ before, after, revisions: [], stateChange }], attempt);
    if (outcome.kind === 'committed') return stateChange;
    before = outcome.current[0] ?? before;
  }
  throw new Error(
    `The state of invoice ${invoice.invoiceId} was not changed: others kept changing the invoice. Run the command again.`,
  );
}

/**
 * Finds an invoice and changes its state; `change` is null if it already has the state. Throws an OperatorError if the
 * invoice is settled, or if its declaration does not have the expected revision.
 */
export async function setState(
  ports: Pick<AdminPorts, 'records' | 'invoices' | 'invoiceWriter' | 'declarations'>,
  name: InvoiceRef,
  state: StateCode,
  author: Author,
  { revision, force = false }: TransitionConditions = {},
): Promise<{ scope: SupplierScope; change: StateChange | null }> {
  const found = await findInvoice(ports, name);
  const { scope } = found;
  const change = await changeState(ports.invoiceWriter.commit, found, state, author, async (invoice) => {
    const { invoiceId, declaration, state: from } = invoice;
    if (revision !== undefined && revision !== (declaration?.revision ?? 0)) {
      const [seen] = await ports.declarations.revisions(scope, [{ invoiceId, revision }]);
      throw new OperatorError(`Nothing was changed. ${describeRevisionConflict(revision, invoice, seen?.amount)}`);
    }
    if (!force && !canTransition(from, state)) {
      throw new OperatorError(
        `Invoice ${invoiceId} is settled (${from}) and cannot change state. Use --force to override.`,
      );
    }
  });
  return { scope, change };
}

/** Describes the difference of the expected and the current declaration; `seen` is the amount of the expected one. */
export function describeRevisionConflict(
  revision: number,
  { declaration }: Invoice,
  seen: Decimal | undefined,
): string {
  if (!declaration) return `revision: expected ${revision}, but the invoice has no declaration`;
  const current = `${declaration.amount.toFixed()} (revision ${revision} → ${declaration.revision})`;
  if (revision > declaration.revision)
    return `revision: expected ${revision}, but the latest is ${declaration.revision}`;
  return `revision: the supplier has declared again: ${seen?.toFixed() ?? 'nothing'} → ${current}`;
}
