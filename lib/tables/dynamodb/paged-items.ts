import {
  type DynamoDBDocumentClient,
  paginateQuery,
  paginateScan,
  type QueryCommandInput,
  type ScanCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Key } from './key.ts';

/** The maximum number of items of a page. Without it, the embedded engine blocks other requests during a long read. */
export const PAGE_ITEMS = 1000;

const SETTINGS = { ConsistentRead: true, Limit: PAGE_ITEMS };

/** Yields the pages of a query, strongly consistent. */
export async function* queryPages<Item>(client: DynamoDBDocumentClient, query: QueryCommandInput) {
  for await (const { Items } of paginateQuery({ client }, { ...SETTINGS, ...query })) yield (Items ?? []) as Item[];
}

/** Yields the pages of a scan, strongly consistent. */
export async function* scanPages<Item>(client: DynamoDBDocumentClient, scan: ScanCommandInput) {
  for await (const { Items } of paginateScan({ client }, { ...SETTINGS, ...scan })) yield (Items ?? []) as Item[];
}

export function inPartition(pk: string) {
  return { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } };
}

/** Builds the key condition for the items of a partition whose sort keys begin with the one of this key. */
export function beginningWith({ pk, sk }: Key) {
  return {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': sk },
  };
}

/** Builds the key condition for the items of a partition between two sort keys, both included. */
export function between(pk: string, first: string, last: string) {
  return {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':pk': pk, ':first': first, ':last': last },
  };
}
