import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { PAGE_ITEMS } from '../dynamodb/paged-items.ts';
import type { DirectoryItems } from '../items/directory-items.ts';
import { directoryKeys } from '../items/keys.ts';

/**
 * The items of all tenants, page by page, strongly consistent. It reads the whole table: each tenant is a partition of
 * its own, and nothing lists them.
 */
export async function* scanTenants(
  client: DynamoDBDocumentClient,
  table: string,
): AsyncGenerator<readonly DirectoryItems['tenant'][]> {
  const { sk } = directoryKeys.tenant('');
  const scan = {
    TableName: table,
    FilterExpression: 'sk = :tenant',
    ExpressionAttributeValues: { ':tenant': sk },
    ConsistentRead: true,
    Limit: PAGE_ITEMS,
  };
  for await (const { Items = [] } of paginateScan({ client }, scan)) yield Items as DirectoryItems['tenant'][];
}
