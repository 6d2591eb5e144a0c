import { DescribeTableCommand, type QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { estimateLargestCollection } from '../../../infra/ops/maintenance/estimate-collections.ts';

const GIGABYTE = 1024 ** 3;
const [first, second] = ['200', '201'].map((supplierId) => ({ tenant: 'demo.example', supplierId }));
const listSuppliers = async () => [first!, second!];

/** Creates a client of a table of `gigabytes`, a tenth of them in its index, with the counts of pages by supplier. */
function createFakeClient(gigabytes: number, pages: Readonly<Record<string, readonly number[]>> = {}) {
  const queries: QueryCommandInput[] = [];
  const send = async (command: DescribeTableCommand | QueryCommand) => {
    if (command instanceof DescribeTableCommand) {
      const LocalSecondaryIndexes = [{ IndexSizeBytes: gigabytes * 0.1 * GIGABYTE }];
      return { Table: { TableSizeBytes: gigabytes * 0.9 * GIGABYTE, ItemCount: 1000, LocalSecondaryIndexes } };
    }
    const { input } = command;
    queries.push(input);
    const counts = pages[input.ExpressionAttributeValues?.[':pk']?.S ?? ''] ?? [];
    const page = Number(input.ExclusiveStartKey?.['page']?.N ?? 0);
    return {
      Count: counts[page],
      ...(page + 1 < counts.length && { LastEvaluatedKey: { page: { N: `${page + 1}` } } }),
    };
  };
  return { client: { send } as unknown as DynamoDBDocumentClient, queries };
}

describe('the estimate of the largest item collection', () => {
  it('reads no supplier if the table and its index are smaller than 8 GB', async () => {
    const { client, queries } = createFakeClient(7.9);
    const { totalBytes, largest } = await estimateLargestCollection(client, 'Invoices', listSuppliers);
    expect([totalBytes / GIGABYTE, largest, queries]).toEqual([expect.closeTo(7.9), null, []]);
  });

  it('is the share of the supplier with the most invoices, from all pages of the index', async () => {
    const pages = { 'demo.example#200': [300], 'demo.example#201': [300, 400] };
    const { client, queries } = createFakeClient(12, pages);
    const { largest } = await estimateLargestCollection(client, 'Invoices', listSuppliers);
    expect(largest).toEqual({ scope: second, bytes: expect.closeTo(0.7 * 12 * GIGABYTE, -3) });
    expect(queries).toHaveLength(3);
    for (const query of queries)
      expect(query).toMatchObject({ TableName: 'Invoices', IndexName: 'lists', Select: 'COUNT' });
  });

  it('is null for a table without suppliers', async () => {
    const { client } = createFakeClient(12);
    expect(await estimateLargestCollection(client, 'Invoices', async () => [])).toMatchObject({ largest: null });
  });
});
