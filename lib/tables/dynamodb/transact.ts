import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshalled } from './conditional-write.ts';

/** The result of a transaction: everything was written, or nothing because of a conflict with other writes. */
export type TransactionOutcome = { readonly kind: 'committed' } | Conflict;

/** The conflict of a transaction with other writes. */
export interface Conflict {
  readonly kind: 'conflict';
  /** True if a condition failed; false if another transaction or a throttled table prevented the write. */
  readonly conditionFailed: boolean;
  /** The current items of the failed conditions, for writes that request them. */
  readonly current: readonly object[];
  /** The number of times that the client sent the transaction. */
  readonly attempts: number;
}

// A condition failed, or another transaction is writing the item at this moment.
const CONFLICTS = new Set(['ConditionalCheckFailed', 'TransactionConflict']);
// The table throttles writes at this moment.
const OVERLOADED = new Set(['ThrottlingError', 'ProvisionedThroughputExceeded']);

/**
 * Sends a transaction; throws if it fails for another reason than a conflict. With `overloadIsConflict`, a throttled
 * table counts as a conflict too.
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
