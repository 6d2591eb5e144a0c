import {
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { TableClient } from './table-client.ts';
import { fromStoredItem, type PlainWrite, toWriteInput } from './writes.ts';

/** A write that cancelled its transaction. `current` is the stored item, if the item exists and the write requests it. */
export interface FailedWrite {
  readonly index: number;
  /** False if a parallel transaction wrote the item, or if the table was throttled. */
  readonly isConditionFailed: boolean;
  readonly current: object | undefined;
}

/** The result of a transaction. `conflict`: DynamoDB has cancelled the transaction because of other writes. */
type TransactionOutcome =
  | { readonly kind: 'committed' }
  | {
      readonly kind: 'conflict';
      readonly failedWrites: readonly FailedWrite[];
      /** The number of times that the client has sent the transaction. The client sends it again after a lost response. */
      readonly attempts: number;
    };

const CONDITION_FAILED = 'ConditionalCheckFailed';
// The codes if a condition failed, or if another transaction wrote the item at the same time.
const CONFLICT_CODES = new Set([CONDITION_FAILED, 'TransactionConflict']);
// The codes if the table throttled the write.
const OVERLOAD_CODES = new Set(['ThrottlingError', 'ProvisionedThroughputExceeded']);

export type Writes = NonNullable<TransactWriteCommandInput['TransactItems']>;

/** Sends a transaction. Throws any error except a conflict. `isOverloadConflict`: a throttled table is a conflict. */
export async function sendTransaction(
  client: TableClient,
  { TransactItems = [], ...transaction }: TransactWriteCommandInput,
  { isOverloadConflict = false } = {},
): Promise<TransactionOutcome> {
  try {
    await client.send(
      new TransactWriteItemsCommand({ ...transaction, TransactItems: TransactItems.map(toTransactionItem) }),
    );
    return { kind: 'committed' };
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    // DynamoDB returns a reason for each write, in order. The code `None` means that the write did not fail.
    const reasons = (error.CancellationReasons ?? []).map(({ Code = '', Item }, index) => ({ Code, Item, index }));
    const failures = reasons.filter(({ Code }) => Code !== 'None');
    const isConflict = (code: string) => CONFLICT_CODES.has(code) || (isOverloadConflict && OVERLOAD_CODES.has(code));
    if (failures.length === 0 || !failures.every(({ Code }) => isConflict(Code))) throw error;
    const failedWrites = failures.map(({ Code, Item, index }) => {
      return { index, isConditionFailed: Code === CONDITION_FAILED, current: fromStoredItem(Item) };
    });
    return { kind: 'conflict', failedWrites, attempts: error.$metadata.attempts ?? 1 };
  }
}

/** Converts a write of a transaction to the format of DynamoDB. */
function toTransactionItem(item: Writes[number]) {
  const operations = Object.entries(item).map(([name, write]) => [name, toWriteInput(write as PlainWrite)]);
  return Object.fromEntries(operations) as TransactWriteItem;
}
