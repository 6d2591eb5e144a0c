import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  PutItemCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type {
  DeleteCommandInput,
  PutCommandInput,
  TransactWriteCommandInput,
  UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { TableClient } from './table-client.ts';
import { fromAttributeValues, toAttributeValues } from './values.ts';

/** The result of a conditional write. `current` is the item after the call, if the command requests the item. */
interface WriteOutcome {
  readonly kind: 'written' | 'rejected';
  readonly current: object | undefined;
}

/** Puts an item. If its condition fails, the result is `rejected`. */
export const putItem = (client: TableClient, input: PutCommandInput) =>
  awaitConditionalWrite(client.send(new PutItemCommand(convertWrite(input))));

/** Updates an item. If its condition fails, the result is `rejected`. */
export const updateItem = (client: TableClient, input: UpdateCommandInput) =>
  awaitConditionalWrite(client.send(new UpdateItemCommand(convertWrite(input))));

/** Deletes an item. If its condition fails, throws the error of DynamoDB. */
export const deleteItem = (client: TableClient, input: DeleteCommandInput) =>
  client.send(new DeleteItemCommand(convertWrite(input)));

async function awaitConditionalWrite(write: Promise<{ Attributes?: Values | undefined }>): Promise<WriteOutcome> {
  try {
    const { Attributes } = await write;
    return { kind: 'written', current: convertItem(Attributes) };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { kind: 'rejected', current: convertItem(error.Item) };
  }
}

type Values = Record<string, AttributeValue>;

function convertItem(item: Values | undefined): object | undefined {
  return item && fromAttributeValues(item);
}

/** A part of an update: actions, conditions that must all be true, and the names and values of both. */
export interface UpdatePart {
  readonly set?: readonly string[];
  readonly remove?: readonly string[];
  readonly add?: readonly string[];
  readonly conditions?: readonly string[];
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, unknown>>;
}

/** Builds one update from several parts. If a condition fails, the error contains the current item. */
export function buildUpdate(TableName: string, Key: object, parts: readonly UpdatePart[]) {
  const clauses: string[] = [];
  for (const clause of ['set', 'remove', 'add'] as const) {
    const actions = parts.flatMap((part) => part[clause] ?? []);
    if (actions.length > 0) clauses.push(`${clause.toUpperCase()} ${actions.join(', ')}`);
  }
  const conditions = parts.flatMap((part) => part.conditions ?? []);
  const names: Record<string, string> = Object.assign({}, ...parts.map((part) => part.names));
  const values: Record<string, unknown> = Object.assign({}, ...parts.map((part) => part.values));
  return {
    TableName,
    Key,
    UpdateExpression: clauses.length > 0 ? clauses.join(' ') : undefined,
    ConditionExpression: conditions.length > 0 ? conditions.join(' AND ') : undefined,
    ExpressionAttributeNames: Object.keys(names).length > 0 ? names : undefined,
    ExpressionAttributeValues: Object.keys(values).length > 0 ? values : undefined,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } satisfies UpdateCommandInput;
}

/** Builds the part that sets the time to live of an item, from Unix milliseconds. */
export function buildExpiry(timeMs: number): UpdatePart {
  return { set: ['#ttl = :ttl'], names: { '#ttl': 'ttl' }, values: { ':ttl': Math.ceil(timeMs / 1000) } };
}

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
      new TransactWriteItemsCommand({ ...transaction, TransactItems: TransactItems.map(convertTransactionItem) }),
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
      return { index, isConditionFailed: Code === CONDITION_FAILED, current: convertItem(Item) };
    });
    return { kind: 'conflict', failedWrites, attempts: error.$metadata.attempts ?? 1 };
  }
}

/** Converts a write of a transaction to the format of DynamoDB. */
function convertTransactionItem(item: Writes[number]) {
  const operations = Object.entries(item).map(([name, write]) => [name, convertWrite(write as PlainWrite)]);
  return Object.fromEntries(operations) as TransactWriteItem;
}

/** The parts of a write that contain values. */
type PlainWrite = { readonly [Name in 'Item' | 'Key' | 'ExpressionAttributeValues']?: object | undefined };

/** Converts the item, the key and the values of a write to the format of DynamoDB. */
function convertWrite<Write extends PlainWrite>(write: Write) {
  const { Item, Key, ExpressionAttributeValues: values } = write;
  return {
    ...write,
    ...(Item && { Item: toAttributeValues(Item) }),
    ...(Key && { Key: toAttributeValues(Key) }),
    ...(values && { ExpressionAttributeValues: toAttributeValues(values) }),
  } as Converted<Write>;
}

/** The input of a write with converted values. */
type Converted<Write> = Omit<Write, keyof PlainWrite> & { [Name in keyof Write & keyof PlainWrite]: Values };
