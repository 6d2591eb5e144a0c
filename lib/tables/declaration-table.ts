import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DeclarationRevision } from '../domain/declaration.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import { collectPages } from '../runtime/pages.ts';
import { batchGet, inPartition, type Key, queryPages } from './dynamodb/reads.ts';
import { readDeclarationKeys, type LogItem, type RevisionItem, toRevision } from './history-items.ts';
import { declarationPartition } from './keys.ts';
import type { RevisionKey } from './invoice-table.ts';

export interface OwnedRevision {
  readonly scope: SupplierScope;
  readonly revision: DeclarationRevision;
}

/** Creates the reader of declaration histories, strongly consistent. */
export function createDeclarationTable(client: DynamoDBDocumentClient, table: string) {
  const query = <Item>(pk: string) => collectPages(queryPages<Item>(client, { TableName: table, ...inPartition(pk) }));
  const read = async (keys: readonly Key<number>[]) =>
    (await batchGet<RevisionItem & Key<unknown>>(client, table, keys)).map(toOwnedRevision);

  return {
    /** Reads all declarations of an invoice, oldest first. */
    async history(scope: SupplierScope, invoiceId: string) {
      const items = await query<RevisionItem>(declarationPartition(scope, invoiceId));
      return items.map((item) => toRevision(invoiceId, item));
    },

    /** Reads the declarations of distinct keys, in any order; omits declarations that do not exist. */
    async revisions(scope: SupplierScope, wanted: readonly RevisionKey[]) {
      const keys = wanted.map((key) => ({ pk: declarationPartition(scope, key.invoiceId), sk: key.revision }));
      return (await read(keys)).map(({ revision }) => revision);
    },

    /**
     * Finds all declarations that a request wrote, sorted by supplier, invoice and revision. Writes of the last seconds
     * may be absent, because the index is eventually consistent.
     */
    async ofRequest(requestId: string) {
      const ofRequest = {
        TableName: table,
        IndexName: 'requests',
        KeyConditionExpression: 'log_request = :request',
        ExpressionAttributeValues: { ':request': requestId },
        ConsistentRead: false,
      };
      const entries = await collectPages(queryPages<LogItem>(client, ofRequest));
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
