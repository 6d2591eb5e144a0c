import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { createInvoiceLists } from '../../../lib/tables/invoice-lists.ts';

/** The size of an item collection from which operators are warned. DynamoDB rejects writes that exceed 10 GB. */
export const COLLECTION_WARNING_BYTES = 8 * 1024 ** 3;

const PARALLEL_COUNTS = 8;
const ALL_DATES = { startMs: Date.parse('0000-01-01T00:00:00.000Z'), endMs: Date.parse('9999-12-31T23:59:59.999Z') };

/**
 * Estimates the largest item collection (the invoices of a supplier with their index entries) from numbers of invoices,
 * because DynamoDB returns its size only for a write. `totalBytes` is the size of the table and its index, which
 * DynamoDB updates about every six hours. If it is below the warning, `largest` is null.
 */
export async function estimateLargestCollection(
  client: DynamoDBDocumentClient,
  TableName: string,
  listSuppliers: () => Promise<readonly SupplierScope[]>,
) {
  const { Table = {} } = await client.send(new DescribeTableCommand({ TableName }));
  const { TableSizeBytes = 0, ItemCount = 0, LocalSecondaryIndexes: indexes = [] } = Table;
  const totalBytes = indexes.reduce((sum, { IndexSizeBytes = 0 }) => sum + IndexSizeBytes, TableSizeBytes);
  if (totalBytes < COLLECTION_WARNING_BYTES) return { totalBytes, largest: null };

  const bytesPerInvoice = totalBytes / ItemCount;
  const { count: countInvoices } = createInvoiceLists(client, TableName);
  const collections: { readonly scope: SupplierScope; readonly bytes: number }[] = [];
  await forEachConcurrent(await listSuppliers(), PARALLEL_COUNTS, async (scope) => {
    const invoices = await countInvoices(scope, ALL_DATES);
    collections.push({ scope, bytes: bytesPerInvoice * invoices });
  });
  const [largest = null] = collections.toSorted((one, other) => other.bytes - one.bytes);
  return { totalBytes, largest };
}
