import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { StateChange } from '../domain/invoice-state-change.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import { splitIntoChunks, collectPages } from '../runtime/pages.ts';
import { batchGet, buildPrefixCondition, buildRangeCondition, MAX_KEYS, queryPages } from './dynamodb/reads.ts';
import { type StoredNumber, toInteger } from './dynamodb/values.ts';
import { type InvoiceItem, toInvoice } from './invoice-items.ts';
import { isStorableId, ID_BOUNDS, buildInvoiceKey, buildInvoicePartition, buildStateChangePrefix } from './keys.ts';
import { toStateChange } from './history-items.ts';
import type { Attributes } from './stored-fields.ts';

export interface OwnedInvoice {
  readonly scope: SupplierScope;
  readonly invoice: Invoice;
}

/** The key of a revision among the declarations of one supplier. */
export interface RevisionKey {
  readonly invoiceId: string;
  readonly revision: number;
}

/** Creates the reader of invoices by id. All reads are strongly consistent. */
export function createInvoiceTable(client: DynamoDBDocumentClient, table: string) {
  return {
    /** Reads an invoice. Returns null if the invoice does not exist. */
    get: async (scope: SupplierScope, invoiceId: string): Promise<Invoice | null> => {
      if (!isStorableId(invoiceId)) return null;
      const Key = buildInvoiceKey(scope, invoiceId);
      const { Item } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
      return Item ? toInvoice(Item as InvoiceItem) : null;
    },

    /** Reads invoices by id. Omits invoices that do not exist. */
    getMany: async (scope: SupplierScope, invoiceIds: readonly string[]): Promise<Map<string, Invoice>> => {
      const keys = [...new Set(invoiceIds)].filter(isStorableId).map((id) => buildInvoiceKey(scope, id));
      const items = await batchGet<InvoiceItem>(client, table, keys);
      return new Map(items.map((item) => [item.sk, toInvoice(item)]));
    },

    /** Reads the invoices of several suppliers with the same id, in any order. Omits suppliers without the invoice. */
    getForSuppliers: async (scopes: readonly SupplierScope[], invoiceId: string): Promise<OwnedInvoice[]> => {
      const scopesByPartition = new Map(scopes.map((scope) => [buildInvoicePartition(scope), scope]));
      const keys = scopes.map((scope) => buildInvoiceKey(scope, invoiceId));
      const items = await batchGet<InvoiceItem>(client, table, keys);
      return items.flatMap((item) => {
        const scope = scopesByPartition.get(item.pk);
        return scope ? { scope, invoice: toInvoice(item) } : [];
      });
    },
  };
}

/** Creates the function that reads the state history of an invoice, oldest first, strongly consistent. */
export function createStateHistoryReader(client: DynamoDBDocumentClient, invoicesTable: string) {
  return async (scope: SupplierScope, invoiceId: string): Promise<StateChange[]> => {
    const changes = buildPrefixCondition({ pk: buildInvoicePartition(scope), sk: buildStateChangePrefix(invoiceId) });
    const items = await collectPages(queryPages<Attributes>(client, { TableName: invoicesTable, ...changes }));
    return items.map((item) => toStateChange(invoiceId, item));
  };
}

/** Yields the keys of all declarations of a supplier, up to 100 at a time. The keys of each invoice are in order. */
export async function* readRevisionKeys(
  client: DynamoDBDocumentClient,
  invoicesTable: string,
  scope: SupplierScope,
): AsyncGenerator<RevisionKey[], void> {
  const pages = queryPages<Pick<InvoiceItem, 'sk'> & { declaration_revision: StoredNumber }>(client, {
    TableName: invoicesTable,
    ...buildRangeCondition(buildInvoicePartition(scope), ID_BOUNDS.first, ID_BOUNDS.last),
    FilterExpression: 'attribute_exists(declaration_id)',
    ProjectionExpression: 'sk, declaration_revision',
  });
  for await (const items of pages) {
    const keys: RevisionKey[] = [];
    for (const { sk: invoiceId, declaration_revision: latestRevision } of items) {
      // The revision numbers of an invoice begin at 1 and have no gaps.
      for (let revision = 1; revision <= toInteger(latestRevision); revision++) keys.push({ invoiceId, revision });
    }
    yield* splitIntoChunks(keys, MAX_KEYS);
  }
}

/** Yields the invoice ids of a supplier that begin with a zero, page by page, strongly consistent. */
export async function* readIdsWithLeadingZeros(
  client: DynamoDBDocumentClient,
  invoicesTable: string,
  scope: SupplierScope,
): AsyncGenerator<string[]> {
  const condition = buildPrefixCondition({ pk: buildInvoicePartition(scope), sk: '0' });
  const query = { TableName: invoicesTable, ...condition, ProjectionExpression: 'sk' };
  for await (const items of queryPages<Pick<InvoiceItem, 'sk'>>(client, query)) yield items.map(({ sk }) => sk);
}
