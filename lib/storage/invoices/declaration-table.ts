import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DeclarationHistories, OwnedRevision } from '../../admin/ports/admin-ports.ts';
import { itemsOf } from '../../runtime/pages.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import type { Key } from '../dynamodb/key.ts';
import { inPartition, queryPages } from '../dynamodb/paged-items.ts';
import { readDeclarationKeys, type LogItem, type RevisionItem, toRevision } from '../items/history-items.ts';
import { declarationPartition } from '../items/keys.ts';

/** Creates the repository of Declarations. */
export function createDeclarationTable(client: DynamoDBDocumentClient, table: string): DeclarationHistories {
  const query = <Item>(pk: string) => itemsOf(queryPages<Item>(client, { TableName: table, ...inPartition(pk) }));
  const read = async (keys: readonly Key<number>[]) =>
    (await batchGet<RevisionItem & Key<unknown>>(client, table, keys)).map(toOwnedRevision);

  return {
    async history(scope, invoiceId) {
      const items = await query<RevisionItem>(declarationPartition(scope, invoiceId));
      return items.map((item) => toRevision(invoiceId, item));
    },

    async revisions(scope, wanted) {
      const keys = wanted.map((key) => ({ pk: declarationPartition(scope, key.invoiceId), sk: key.revision }));
      return (await read(keys)).map(({ revision }) => revision);
    },

    async ofRequest(requestId) {
      const ofRequest = {
        TableName: table,
        IndexName: 'requests',
        KeyConditionExpression: 'log_request = :request',
        ExpressionAttributeValues: { ':request': requestId },
        ConsistentRead: false,
      };
      const entries = await itemsOf(queryPages<LogItem>(client, ofRequest));
      const found = await read(entries.flatMap(readDeclarationKeys));
      return found.toSorted((a, b) => toText(a).localeCompare(toText(b), 'en', { numeric: true }));
    },
  };
}

/** Converts an item of Declarations to a declaration and the supplier that declared it. */
export function toOwnedRevision(item: RevisionItem & Key<unknown>): OwnedRevision {
  const [tenant = '', supplierId = '', invoiceId = ''] = item.pk.split('#');
  return { scope: { tenant, supplierId }, revision: toRevision(invoiceId, item) };
}

function toText({ scope, revision }: OwnedRevision): string {
  return `${declarationPartition(scope, revision.invoiceId)}#${revision.revision}`;
}
