import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { StateChange } from '../domain/invoice-state-change.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import { splitIntoChunks, collectPages } from '../runtime/pages.ts';
import {
  batchGet,
  buildPrefixCondition,
  buildRangeCondition,
  type Key,
  MAX_KEYS,
  queryPages,
} from './dynamodb/reads.ts';
import { type StoredNumber, toInteger } from './dynamodb/values.ts';
import { type InvoiceItem, toInvoice } from './invoice-items.ts';
import {
  buildInvoiceKey,
  buildInvoicePartition,
  buildStateChangePrefix,
  buildWithdrawnKey,
  ID_BOUNDS,
  isStorableId,
  parseInvoiceSortKey,
  WITHDRAWN_PREFIX,
} from './keys.ts';
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
  async function readByKeys(keys: readonly Key[]): Promise<Map<string, Invoice>> {
    const invoices = (await batchGet<InvoiceItem>(client, table, keys)).map(toInvoice);
    return new Map(invoices.map((invoice) => [invoice.invoiceId, invoice]));
  }

  return {
    /** Reads an invoice. Returns null if the invoice does not exist. */
    get: async (scope: SupplierScope, invoiceId: string): Promise<Invoice | null> => {
      if (!isStorableId(invoiceId)) return null;
      const Key = buildInvoiceKey(scope, invoiceId);
      const { Item } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
      return Item ? toInvoice(Item as InvoiceItem) : null;
    },

    /** Reads invoices by id. Omits invoices that do not exist. */
    getMany: (scope: SupplierScope, invoiceIds: readonly string[]) =>
      readByKeys([...new Set(invoiceIds)].filter(isStorableId).map((id) => buildInvoiceKey(scope, id))),

    /** Reads withdrawn invoices by id. Omits invoices that are not withdrawn. */
    getWithdrawn: (scope: SupplierScope, invoiceIds: readonly string[]) =>
      readByKeys([...new Set(invoiceIds)].map((id) => buildWithdrawnKey(scope, id))),

    /** Reads the invoices of several suppliers with the same id, also withdrawn ones, in any order. */
    getForSuppliers: async (scopes: readonly SupplierScope[], invoiceId: string): Promise<OwnedInvoice[]> => {
      const scopesByPartition = new Map(scopes.map((scope) => [buildInvoicePartition(scope), scope]));
      const keys = scopes.flatMap((scope) => [buildInvoiceKey(scope, invoiceId), buildWithdrawnKey(scope, invoiceId)]);
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

/** Yields the items of the invoices of a supplier that are not withdrawn, page by page, strongly consistent. */
export function readInvoiceItems(client: DynamoDBDocumentClient, TableName: string, scope: SupplierScope) {
  return queryPages<InvoiceItem>(client, { TableName, ...buildListedCondition(scope) });
}

/** Yields the withdrawn invoices of a supplier, page by page, strongly consistent. */
export async function* readWithdrawnInvoices(
  client: DynamoDBDocumentClient,
  invoicesTable: string,
  scope: SupplierScope,
): AsyncGenerator<Invoice[]> {
  const query = { TableName: invoicesTable, ...buildWithdrawnCondition(scope) };
  for await (const items of queryPages<InvoiceItem>(client, query)) yield items.map(toInvoice);
}

/** Builds the conditions of the two ranges that contain all invoices of a supplier: listed and withdrawn ones. */
export const buildAllInvoicesConditions = (scope: SupplierScope) => [
  buildListedCondition(scope),
  buildWithdrawnCondition(scope),
];

const buildListedCondition = (scope: SupplierScope) =>
  buildRangeCondition(buildInvoicePartition(scope), ID_BOUNDS.first, ID_BOUNDS.last);

const buildWithdrawnCondition = (scope: SupplierScope) =>
  buildPrefixCondition({ pk: buildInvoicePartition(scope), sk: WITHDRAWN_PREFIX });

/**
 * Yields the keys of all declarations of a supplier, also of withdrawn invoices, up to 100 at a time. The keys of each
 * invoice are in order.
 */
export async function* readRevisionKeys(
  client: DynamoDBDocumentClient,
  invoicesTable: string,
  scope: SupplierScope,
): AsyncGenerator<RevisionKey[], void> {
  for (const condition of buildAllInvoicesConditions(scope)) {
    const pages = queryPages<Pick<InvoiceItem, 'sk'> & { declaration_revision: StoredNumber }>(client, {
      TableName: invoicesTable,
      ...condition,
      FilterExpression: 'attribute_exists(declaration_id)',
      ProjectionExpression: 'sk, declaration_revision',
    });
    for await (const items of pages) {
      const keys: RevisionKey[] = [];
      for (const { sk, declaration_revision: latestRevision } of items) {
        const { invoiceId } = parseInvoiceSortKey(sk);
        // The revision numbers of an invoice begin at 1 and have no gaps.
        for (let revision = 1; revision <= toInteger(latestRevision); revision++) keys.push({ invoiceId, revision });
      }
      yield* splitIntoChunks(keys, MAX_KEYS);
    }
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
