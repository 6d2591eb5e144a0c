import { movedTo, type StateChange, stateChangeOf } from '../../domain/invoice-state-change.ts';
import { mayMove, type StateCode } from '../../domain/invoice-states.ts';
import { type AttemptLimits, limitedAttempts } from '../../runtime/attempts.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Invoice, SupplierScope } from '../../domain/invoice.ts';
import type { Decimal } from '../../domain/money.ts';
import type { Commit, InvoiceChange } from '../../services/transactions.ts';
import type { AdminPorts, OwnedInvoice } from '../ports/admin-ports.ts';
import { OperatorError } from '../operator-error.ts';
import { findInvoice, type InvoiceName } from './find-invoice.ts';

/** Who changes a state, and why. */
export interface Author {
  readonly changedBy: string;
  readonly reason: string;
  readonly clock: Clock;
}

/** What is asked of an invoice before it is moved. */
export interface MoveConditions {
  /** The revision of the declaration that was seen; 0: nobody has declared. */
  readonly revision?: number | undefined;
  /** Whether the invoice may leave LIQ. */
  readonly force?: boolean | undefined;
}

const RETRIES: AttemptLimits = { most: 10, firstMs: 10, longestMs: 200 };

/**
 * Moves an invoice to a state, from whatever state others have left it in by then; null when it is in that state
 * already. `require` throws for an invoice, as it is just before the write, that must not be moved.
 */
export async function changeState(
  commit: Commit<InvoiceChange>,
  { scope, invoice }: OwnedInvoice,
  state: StateCode,
  { clock, ...author }: Author,
  require: (invoice: Invoice) => Promise<void> = async () => undefined,
): Promise<StateChange | null> {
  let before = invoice;
  for await (const attempt of limitedAttempts(RETRIES)) {
    const after = movedTo(before, state);
    const stateChange = stateChangeOf(before, after, { ...author, now: clock.now() });
    await require(before);
    if (!stateChange) return null;
    const outcome = await commit(scope, [{ before, after, revisions: [], stateChange }], attempt);
    if (outcome.kind === 'committed') return stateChange;
    before = outcome.current[0] ?? before;
  }
  throw new Error(`The invoice ${invoice.invoiceId} kept being changed by others; its state was not.`);
}

/**
 * Finds an invoice and moves it to a state; `change` is null when it is in that state already. Throws an OperatorError
 * when it is settled, or when its declaration is another one than was seen.
 */
export async function setState(
  ports: Pick<AdminPorts, 'records' | 'invoices' | 'invoiceWriter' | 'declarations'>,
  name: InvoiceName,
  state: StateCode,
  author: Author,
  { revision, force = false }: MoveConditions = {},
): Promise<{ scope: SupplierScope; change: StateChange | null }> {
  const found = await findInvoice(ports, name);
  const { scope } = found;
  const change = await changeState(ports.invoiceWriter.commit, found, state, author, async (invoice) => {
    const { invoiceId, declaration, state: from } = invoice;
    if (revision !== undefined && revision !== (declaration?.revision ?? 0)) {
      const [seen] = await ports.declarations.revisions(scope, [{ invoiceId, revision }]);
      throw new OperatorError(`Nothing was written. ${revisionFault(revision, invoice, seen?.amount)}`);
    }
    if (!force && !mayMove(from, state)) {
      throw new OperatorError(`Invoice ${invoiceId} is ${from}, which is the end; with --force it leaves it.`);
    }
  });
  return { scope, change };
}

/** Says which revision of a declaration stands, and the amounts; `seen` is that of the revision that was seen. */
export function revisionFault(revision: number, { declaration }: Invoice, seen: Decimal | undefined): string {
  if (!declaration) return `revision: nobody has declared, and ${revision} is said`;
  const stands = `${declaration.amount.toFixed()} (revision ${revision} → ${declaration.revision})`;
  if (revision > declaration.revision) return `revision: the latest is ${declaration.revision}, not ${revision}`;
  return `revision: the supplier has declared meanwhile: ${seen?.toFixed() ?? 'nothing'} → ${stands}`;
}
