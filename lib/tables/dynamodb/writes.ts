import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { DeleteCommandInput, PutCommandInput, UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { TableClient } from './table-client.ts';
import { fromAttributeValues, toAttributeValues } from './values.ts';

/** The result of a conditional write. `current` is the item after the call, if the command requests the item. */
interface WriteOutcome {
  readonly kind: 'written' | 'rejected';
  readonly current: object | undefined;
}

/** Puts an item. If the condition of the write is false, the result is `rejected`. */
export function putItem(client: TableClient, input: PutCommandInput): Promise<WriteOutcome> {
  return awaitConditionalWrite(client.send(new PutItemCommand(toWriteInput(input))));
}

/** Updates an item. If the condition of the write is false, the result is `rejected`. */
export function updateItem(client: TableClient, input: UpdateCommandInput): Promise<WriteOutcome> {
  return awaitConditionalWrite(client.send(new UpdateItemCommand(toWriteInput(input))));
}

async function awaitConditionalWrite(write: Promise<{ Attributes?: Values | undefined }>): Promise<WriteOutcome> {
  try {
    const { Attributes } = await write;
    return { kind: 'written', current: fromStoredItem(Attributes) };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { kind: 'rejected', current: fromStoredItem(error.Item) };
  }
}

/** Deletes an item. Throws a ConditionalCheckFailedException if the condition of the write is false. */
export async function deleteItem(client: TableClient, input: DeleteCommandInput): Promise<void> {
  await client.send(new DeleteItemCommand(toWriteInput(input)));
}

/** The parts of a write that contain values. */
export type PlainWrite = { readonly [Name in 'Item' | 'Key' | 'ExpressionAttributeValues']?: object | undefined };

type Values = Record<string, AttributeValue>;

/** The input of a command, with converted values. */
type WriteInput<Write> = Omit<Write, keyof PlainWrite> & {
  [Name in keyof Pick<Write, keyof Write & keyof PlainWrite>]: Values;
};

/** Converts the item, the key and the values of a write to the format of DynamoDB. */
export function toWriteInput<Write extends PlainWrite>(write: Write): WriteInput<Write> {
  const { Item, Key, ExpressionAttributeValues: values } = write;
  return {
    ...write,
    ...(Item && { Item: toAttributeValues(Item) }),
    ...(Key && { Key: toAttributeValues(Key) }),
    ...(values && { ExpressionAttributeValues: toAttributeValues(values) }),
  } as WriteInput<Write>;
}

/** Converts an item in a response or in an error, if there is one. */
export function fromStoredItem(item: Values | undefined): object | undefined {
  return item && fromAttributeValues(item);
}
