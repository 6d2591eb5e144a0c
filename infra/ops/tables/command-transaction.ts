import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { InvoiceChange } from '../../../lib/domain/invoice-change.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import type { CommitOutcome } from '../../../lib/invoices/transactions.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { DeadlineError, runWithinDeadline } from '../../../lib/runtime/request-scope.ts';
import { toInvoice } from '../../../lib/tables/invoice-items.ts';
import { buildWrites, commitWrites, type InvoiceTables } from '../../../lib/tables/invoice-transaction.ts';

/** The number of parallel transactions of one supplier in a command. */
export const PARALLEL_TRANSACTIONS = 6;

/**
 * A change is never sent later than this after its time, for example after a computer was asleep. Therefore a program
 * finds each change if it lists those since one minute before its last request. An export reads the last hour again.
 */
const MAX_CHANGE_AGE_MS = LIMITS.changeDelaySeconds * 1000;

/**
 * Writes all changes in one transaction, and sends it until its outcome is known; throws an error if the outcome stays
 * unknown. The written items contain the id of the command. Changes that are too old must be planned again.
 */
export type Commit = (
  scope: SupplierScope,
  changes: readonly InvoiceChange[],
  commandId?: string,
) => Promise<CommitOutcome>;

const UNKNOWN_OUTCOME =
  'It is not known whether the last changes were written. To complete them, run the command again.';

/** Creates the function that writes the changes of a command. */
export function createCommandTransaction(client: DynamoDBDocumentClient, tables: InvoiceTables): Commit {
  return (scope, changes, commandId) => {
    const nowMs = systemClock.now().getTime();
    // After a change by a computer whose clock is ahead, the time of a change is in the future.
    const firstChangeMs = Math.min(nowMs, ...changes.map(({ after }) => Date.parse(after.changedAt)));
    const getRemainingMs = () => firstChangeMs + MAX_CHANGE_AGE_MS - systemClock.now().getTime();
    return runWithinDeadline(getRemainingMs, async () => {
      const writes = buildWrites(tables, scope, changes, commandId);
      const outcome = await commitWrites(client, writes, toInvoice);
      const isTooOld = 'cause' in outcome && outcome.cause instanceof DeadlineError;
      if (outcome.kind === 'unknown') throw isTooOld ? new Error(UNKNOWN_OUTCOME) : outcome.cause;
      return isTooOld ? { kind: 'replan', current: new Map() } : outcome;
    });
  };
}
