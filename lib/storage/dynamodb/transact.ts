import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshalled } from './conditional-write.ts';

/** What became of a transaction: all of it was written, or nothing was, because other writes were faster. */
export type TransactionOutcome = { readonly kind: 'committed' } | Conflict;

/** What a transaction met that lost a race against other writes. */
export interface Conflict {
  readonly kind: 'conflict';
  /** Whether a condition did not hold; if not, the transaction was only told to wait. */
  readonly conditionFailed: boolean;
  /** The items that did not meet their conditions, as they are now; only of writes that ask for them. */
  readonly current: readonly object[];
  /** How often the client sent the transaction. */
  readonly attempts: number;
}

// The condition of a write does not hold, or another transaction is writing the item at this moment.
const CONFLICTS = new Set(['ConditionalCheckFailed', 'TransactionConflict']);
// The table takes no more writes at this moment.
const OVERLOADED = new Set(['ThrottlingError', 'ProvisionedThroughputExceeded']);

/**
 * Sends a transaction. It throws when the table does not take the transaction for another reason than a conflict; with
 * `overloadIsConflict`, an overloaded table counts as a conflict, too.
 */
export async function transact(
  client: DynamoDBDocumentClient,
  transaction: TransactWriteCommandInput,
  { overloadIsConflict = false } = {},
): Promise<TransactionOutcome> {
  try {
    await client.send(new TransactWriteCommand(transaction));
    return { kind: 'committed' };
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const reasons = (error.CancellationReasons ?? []).filter(({ Code }) => Code !== 'None');
    const isConflict = (code: string) => CONFLICTS.has(code) || (overloadIsConflict && OVERLOADED.has(code));
    if (reasons.length === 0 || !reasons.every(({ Code = '' }) => isConflict(Code))) throw error;
    return {
      kind: 'conflict',
      conditionFailed: reasons.some(({ Code }) => Code === 'ConditionalCheckFailed'),
      current: reasons.flatMap(({ Item }) => unmarshalled(Item) ?? []),
      attempts: error.$metadata.attempts ?? 1,
    };
  }
}
