import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { SupplierScope } from '../../domain/invoice.ts';
import type { Key } from '../dynamodb/key.ts';
import { type StoredNumber, toInteger } from '../dynamodb/numbers.ts';
import { PAGE_ITEMS } from '../dynamodb/paged-items.ts';
import { invoiceIdBounds, invoicePartition } from '../items/keys.ts';
import type { RevisionPlace } from './declaration-table.ts';

/** The places of the current declarations of all of a supplier's invoices, page by page; strongly consistent. */
export async function* currentDeclarations(
  client: DynamoDBDocumentClient,
  invoicesTable: string,
  scope: SupplierScope,
): AsyncGenerator<RevisionPlace[]> {
  const pages = paginateQuery(
    { client },
    {
      TableName: invoicesTable,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      FilterExpression: 'attribute_exists(declaration_id)',
      ExpressionAttributeValues: {
        ':pk': invoicePartition(scope),
        ':first': invoiceIdBounds.first,
        ':last': invoiceIdBounds.last,
      },
      ProjectionExpression: 'sk, declaration_revision',
      ConsistentRead: true,
      Limit: PAGE_ITEMS,
    },
  );
  for await (const { Items = [] } of pages) {
    yield (Items as (Key & { declaration_revision: StoredNumber })[]).map(({ sk, declaration_revision: revision }) => ({
      invoiceId: sk,
      revision: toInteger(revision),
    }));
  }
}
