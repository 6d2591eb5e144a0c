// Sends recorded calls of a batch again with a plain document client: first the reads, then the transactions.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { randomUUID } from 'node:crypto';

const commands = {
  BatchGetItem: BatchGetCommand,
  Query: QueryCommand,
  TransactWriteItems: TransactWriteCommand,
  UpdateItem: UpdateCommand,
};
const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
  marshallOptions: { removeUndefinedValues: true },
  unmarshallOptions: { wrapNumbers: true },
});
let reads = [];
let transactions = [];

/** Stores recorded calls (`calls`), or sends the stored calls. */
export async function handler({ calls }) {
  if (calls) {
    const documentCalls = calls.map(({ operation, input }) => ({ operation, input: toDocument(input) }));
    transactions = documentCalls.filter(({ operation }) => operation === 'TransactWriteItems');
    reads = documentCalls.filter((call) => !transactions.includes(call));
  } else {
    await Promise.all(reads.map(({ operation, input }) => documents.send(new commands[operation](input))));
    await Promise.all(
      transactions.map(({ input }) =>
        documents.send(new TransactWriteCommand({ ...input, ClientRequestToken: randomUUID() })),
      ),
    );
  }
  return { statusCode: 200, body: '' };
}

/** Converts the items and keys of an input. Conditions become true, so that the same call succeeds again. */
function toDocument(value, name) {
  if (name === 'ConditionExpression') return `${value} OR attribute_exists(pk) OR attribute_not_exists(pk)`;
  if (Array.isArray(value)) return value.map((element) => toDocument(element, name === 'Keys' ? 'Key' : ''));
  if (typeof value !== 'object' || value === null) return value;
  if (['Item', 'Key', 'ExpressionAttributeValues'].includes(name)) return unmarshall(value, { wrapNumbers: true });
  return Object.fromEntries(Object.entries(value).map(([key, property]) => [key, toDocument(property, key)]));
}
