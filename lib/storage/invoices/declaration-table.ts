import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DeclarationHistories, OwnedRevision } from '../../admin/ports/admin-ports.ts';
import { itemsOf } from '../../runtime/pages.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import type { Key } from '../dynamodb/key.ts';
import { inPartition, queryPages } from '../dynamodb/paged-items.ts';
import { type RequestItem, type RevisionItem, toRevision } from '../items/history-items.ts';
import { declarationPartition, requestPartition } from '../items/keys.ts';

/** The repository of Declarations. */
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
      const entries = await query<RequestItem>(requestPartition(requestId));
      const found = await read(entries.flatMap(declarationKeys));
      return found.toSorted((a, b) => textOf(a).localeCompare(textOf(b), 'en', { numeric: true }));
    },
  };
}

/** The keys of the declarations that an entry of a request names. */
function declarationKeys({ owner, declarations }: RequestItem): Key<number>[] {
  return declarations.map((declaration) => {
    const [invoiceId = '', revision] = declaration.split('#');
    return { pk: `${owner}#${invoiceId}`, sk: Number(revision) };
  });
}

function toOwnedRevision(item: RevisionItem & Key<unknown>): OwnedRevision {
  const [tenant = '', supplierId = '', invoiceId = ''] = item.pk.split('#');
  return { scope: { tenant, supplierId }, revision: toRevision(invoiceId, item) };
}

function textOf({ scope, revision }: OwnedRevision): string {
  return `${declarationPartition(scope, revision.invoiceId)}#${revision.revision}`;
}
