import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshalled } from './unmarshalled.ts';

/** What became of a transaction: all of it was written, or nothing was, because other writes were faster. */
export type TransactionOutcome = { readonly kind: 'written' } | LostTransaction;

/** Why a transaction lost a race. */
export interface LostTransaction {
  readonly kind: 'lost-race';
  /** Whether a condition did not hold; if not, the transaction was only told to wait. */
  readonly conditionFailed: boolean;
  /** The items that did not meet their conditions, as they are now; only of writes that ask for them. */
  readonly current: readonly object[];
  /** How often the client sent the transaction. */
  readonly attempts: number;
}

// The condition of a write does not hold, or another transaction is writing the item at this moment.
const LOST_RACE = new Set(['ConditionalCheckFailed', 'TransactionConflict']);
// The table takes no more writes at this moment.
const OVERLOADED = new Set(['ThrottlingError', 'ProvisionedThroughputExceeded']);

/**
 * Sends a transaction. It throws when the table does not take the transaction for another reason than a lost race; with
 * `overloadIsLostRace`, an overloaded table counts as a lost race, too.
 */
export async function transact(
  client: DynamoDBDocumentClient,
  transaction: TransactWriteCommandInput,
  { overloadIsLostRace = false } = {},
): Promise<TransactionOutcome> {
  try {
    await client.send(new TransactWriteCommand(transaction));
    return { kind: 'written' };
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const reasons = (error.CancellationReasons ?? []).filter(({ Code }) => Code !== 'None');
    const isLost = (code: string) => LOST_RACE.has(code) || (overloadIsLostRace && OVERLOADED.has(code));
    if (reasons.length === 0 || !reasons.every(({ Code = '' }) => isLost(Code))) throw error;
    return {
      kind: 'lost-race',
      conditionFailed: reasons.some(({ Code }) => Code === 'ConditionalCheckFailed'),
      current: reasons.flatMap(({ Item }) => unmarshalled(Item) ?? []),
      attempts: error.$metadata.attempts ?? 1,
    };
  }
}
