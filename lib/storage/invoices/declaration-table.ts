import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DeclarationHistories, OwnedRevision } from '../../admin/ports/admin-ports.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import type { Key } from '../dynamodb/key.ts';
import type { StoredNumber } from '../dynamodb/numbers.ts';
import { inPartition, queryPages } from '../dynamodb/paged-items.ts';
import { type RevisionItem, toRevision } from '../items/declaration-items.ts';
import { declarationOwner, declarationPartition, requestPartition } from '../items/keys.ts';
import { declarationKeys, type RequestItem } from '../items/request-items.ts';
import { itemsOf } from '../../runtime/pages.ts';

/** An entry as it is stored, with its key. */
type KeyedRevisionItem = RevisionItem & Key<StoredNumber>;

/** The repository of Declarations. */
export function createDeclarationTable(client: DynamoDBDocumentClient, table: string): DeclarationHistories {
  return {
    async history(scope, invoiceId) {
      const query = { TableName: table, ...inPartition(declarationPartition(scope, invoiceId)) };
      return (await itemsOf(queryPages<RevisionItem>(client, query))).map((item) => toRevision(invoiceId, item));
    },

    async revisions(scope, wanted) {
      const invoiceIds = new Map(wanted.map(({ invoiceId }) => [declarationPartition(scope, invoiceId), invoiceId]));
      const keys = wanted.map(({ invoiceId, revision }) => ({
        pk: declarationPartition(scope, invoiceId),
        sk: revision,
      }));
      const items = await batchGet<KeyedRevisionItem>(client, table, keys);
      return items.map((item) => toRevision(invoiceIds.get(item.pk) ?? '', item));
    },

    async ofRequest(requestId) {
      const query = { TableName: table, ...inPartition(requestPartition(requestId)) };
      const keys = (await itemsOf(queryPages<RequestItem>(client, query))).flatMap(declarationKeys);
      const found = (await batchGet<KeyedRevisionItem>(client, table, keys)).map(toOwnedRevision);
      return found.toSorted((a, b) => textOf(a).localeCompare(textOf(b), 'en', { numeric: true }));
    },
  };
}

function toOwnedRevision(item: KeyedRevisionItem): OwnedRevision {
  const { scope, invoiceId } = declarationOwner(item.pk);
  return { scope, revision: toRevision(invoiceId, item) };
}

function textOf({ scope, revision }: OwnedRevision): string {
  return `${declarationPartition(scope, revision.invoiceId)}#${revision.revision}`;
}
