import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { InvoiceChange } from '../../../lib/domain/invoice-change.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import type { CommitOutcome, SendOutcome } from '../../../lib/invoices/transactions.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { DeadlineError, runWithinDeadline } from '../../../lib/runtime/request-scope.ts';
import { toInvoice } from '../../../lib/tables/invoice-items.ts';
import { buildWrites, commitWrites, type InvoiceTables } from '../../../lib/tables/invoice-transaction.ts';

/** The number of parallel transactions of one supplier in a command. */
export const PARALLEL_TRANSACTIONS = 6;

/**
 * The maximum age of a change when it is sent. It limits how late a change becomes visible after its own time, for
 * example if the computer was asleep. Programs that list the latest changes, and exports, rely on this limit.
 */
const MAX_CHANGE_AGE_MS = LIMITS.changeDelaySeconds * 1000;

/**
 * Writes all changes in one transaction, and sends it until its outcome is known. Throws an error if the outcome stays
 * unknown. The written items contain the id of the command. Changes that are too old must be planned again.
 */
export type Commit = (
  scope: SupplierScope,
  changes: readonly InvoiceChange[],
  commandId?: string,
) => Promise<CommitOutcome>;

const UNKNOWN_OUTCOME =
  'It is not known whether the last changes were written. To complete them, run the command again.';

export function createCommandTransaction(client: DynamoDBDocumentClient, tables: InvoiceTables): Commit {
  return (scope, changes, commandId) => {
    const changeTimes = changes.map(({ after }) => Date.parse(after.changedAt));
    // If the clock of another computer is ahead, a change can have a future time. Its age counts from now, so that the
    // deadline is never later.
    const startMs = Math.min(systemClock.now().getTime(), ...changeTimes);
    const getRemainingMs = () => startMs + MAX_CHANGE_AGE_MS - systemClock.now().getTime();
    // The deadline of a request has the same effect on the calls of a command: after it, none is sent.
    return runWithinDeadline(getRemainingMs, async () => {
      const writes = buildWrites(tables, scope, changes, commandId);
      return requireKnownOutcome(await commitWrites(client, writes, toInvoice));
    });
  };
}

/** Returns the outcome of a transaction. Throws an error if it is not known whether the changes were written. */
function requireKnownOutcome(outcome: SendOutcome): CommitOutcome {
  if (outcome.kind === 'committed' || outcome.kind === 'replan') return outcome;
  const isTooOld = outcome.cause instanceof DeadlineError;
  // The deadline was over before the first call, so nothing was sent, and the changes get a new time.
  if (outcome.kind === 'reject') return isTooOld ? { kind: 'replan', current: new Map() } : outcome;
  // The message of a DeadlineError is about the time of a request, which is not useful here.
  if (isTooOld) throw new Error(UNKNOWN_OUTCOME, { cause: outcome.cause });
  throw outcome.cause;
}
