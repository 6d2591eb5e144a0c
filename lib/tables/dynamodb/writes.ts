import {
  type AttributeValue,
  ConditionalCheckFailedException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

/** The result of a conditional write; `current`: the current item, if the write requests it. */
export interface WriteOutcome {
  readonly kind: 'written' | 'refused';
  readonly current: object | undefined;
}

/** Awaits a conditional write. Throws every error except a failed condition. */
export async function writeConditionally(write: Promise<{ Attributes?: object | undefined }>): Promise<WriteOutcome> {
  try {
    const { Attributes } = await write;
    return { kind: 'written', current: Attributes };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { kind: 'refused', current: unmarshalled(error.Item) };
  }
}

/** Converts the item of a failed condition, which the document client does not convert. */
function unmarshalled(item: Record<string, AttributeValue> | undefined): object | undefined {
  return item && unmarshall(item, { wrapNumbers: true });
}

export interface UpdatePart {
  readonly set?: readonly string[];
  readonly remove?: readonly string[];
  readonly add?: readonly string[];
  readonly conditions?: readonly string[];
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, unknown>>;
}

/** Builds one update from all parts; if a condition fails, the error contains the current item. */
export function buildUpdate(TableName: string, Key: object, parts: readonly UpdatePart[]) {
  const clauses = (['set', 'remove', 'add'] as const).flatMap((clause) => {
    const actions = parts.flatMap((part) => part[clause] ?? []);
    return actions.length > 0 ? [`${clause.toUpperCase()} ${actions.join(', ')}`] : [];
  });
  const conditions = parts.flatMap((part) => part.conditions ?? []);
  const names: Record<string, string> = Object.assign({}, ...parts.map((part) => part.names));
  return {
    TableName,
    Key,
    UpdateExpression: clauses.length > 0 ? clauses.join(' ') : undefined,
    ConditionExpression: conditions.length > 0 ? conditions.join(' AND ') : undefined,
    ExpressionAttributeNames: Object.keys(names).length > 0 ? names : undefined,
    ExpressionAttributeValues: Object.assign({}, ...parts.map((part) => part.values)),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } satisfies UpdateCommandInput;
}

/** Builds the part that sets the time to live of an item, from Unix milliseconds. */
export function buildExpiry(timeMs: number): UpdatePart {
  return { set: ['#ttl = :ttl'], names: { '#ttl': 'ttl' }, values: { ':ttl': Math.ceil(timeMs / 1000) } };
}

/** The result of a transaction: everything was written, or nothing because of a conflict with other writes. */
type TransactionOutcome =
  | { readonly kind: 'committed' }
  | {
      readonly kind: 'conflict';
      /** True if a condition failed; false if another transaction or a throttled table prevented the write. */
      readonly conditionFailed: boolean;
      /** The current items of the failed conditions, for writes that request them. */
      readonly current: readonly object[];
      /** The number of times that the client sent the transaction. */
      readonly attempts: number;
    };

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
