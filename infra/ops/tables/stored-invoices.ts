import type { DynamoDBDocumentClient, QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { DateRange } from '../../../lib/domain/date-range.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { buildPositionBounds, parseOwnNumber, type PositionBounds } from '../../../lib/domain/list-entry.ts';
import {
  batchGet,
  buildPartitionCondition,
  buildPrefixCondition,
  queryPages,
} from '../../../lib/tables/dynamodb/reads.ts';
import { type InvoiceItem, toInvoice } from '../../../lib/tables/invoice-items.ts';
import {
  buildInvoiceKey,
  buildInvoicePartition,
  isStorableId,
  LIST_INDEX,
  WITHDRAWN_BOUNDS,
} from '../../../lib/tables/keys.ts';
import { createZeroVariantFinder } from './zero-variants.ts';

export interface OwnedInvoice {
  readonly scope: SupplierScope;
  readonly invoice: Invoice;
}

/** Creates the reader of invoices for operators, including withdrawn ones. All reads are strongly consistent. */
export function createStoredInvoices(client: DynamoDBDocumentClient, TableName: string) {
  const query = <Item>(input: Partial<QueryCommandInput>) => queryPages<Item>(client, { TableName, ...input });

  /** Yields the invoices of a supplier between two list positions, oldest first, page by page. */
  async function* readBetween(scope: SupplierScope, { first, last }: PositionBounds): AsyncGenerator<Invoice[], void> {
    const pages = query<Pick<InvoiceItem, 'sk'>>({
      IndexName: LIST_INDEX,
      KeyConditionExpression: 'pk = :pk AND list_position BETWEEN :first AND :last',
      ExpressionAttributeValues: { ':pk': buildInvoicePartition(scope), ':first': first, ':last': last },
      ProjectionExpression: 'sk',
    });
    for await (const entries of pages) {
      const keys = entries.map(({ sk }) => buildInvoiceKey(scope, sk));
      const items = await batchGet<InvoiceItem>(client, TableName, keys);
      // An invoice can have changed its position since the index was read.
      const currentItems = items.filter(({ list_position: position }) => position >= first && position <= last);
      const sortedItems = currentItems.toSorted((one, other) => (one.list_position < other.list_position ? -1 : 1));
      yield sortedItems.map(toInvoice);
    }
  }

  async function getMany(scope: SupplierScope, invoiceIds: readonly string[]): Promise<Map<string, Invoice>> {
    const keys = [...new Set(invoiceIds)].filter(isStorableId).map((id) => buildInvoiceKey(scope, id));
    const items = await batchGet<InvoiceItem>(client, TableName, keys);
    return new Map(items.map((item) => [item.sk, toInvoice(item)]));
  }

  /** Yields the invoice ids of a supplier that begin with a zero, page by page. */
  async function* readIdsWithLeadingZeros(scope: SupplierScope): AsyncGenerator<string[], void> {
    const condition = buildPrefixCondition({ pk: buildInvoicePartition(scope), sk: '0' });
    const pages = query<Pick<InvoiceItem, 'sk'>>({ ...condition, ProjectionExpression: 'sk' });
    for await (const items of pages) yield items.map(({ sk }) => sk);
  }

  return {
    /** Reads invoices by id. Omits invoices that do not exist. */
    getMany,

    findZeroVariants: createZeroVariantFinder(getMany, readIdsWithLeadingZeros),

    /** Reads the item of an invoice. Returns null if it does not exist. */
    async getItem(scope: SupplierScope, invoiceId: string): Promise<InvoiceItem | null> {
      const [item] = await batchGet<InvoiceItem>(client, TableName, [buildInvoiceKey(scope, invoiceId)]);
      return item ?? null;
    },

    /** Reads the invoices of several suppliers with the same id, in any order. */
    async getForSuppliers(scopes: readonly SupplierScope[], invoiceId: string): Promise<OwnedInvoice[]> {
      const scopesByPartition = new Map(scopes.map((scope) => [buildInvoicePartition(scope), scope]));
      const keys = scopes.map((scope) => buildInvoiceKey(scope, invoiceId));
      const items = await batchGet<InvoiceItem>(client, TableName, keys);
      return items.flatMap((item) => {
        const scope = scopesByPartition.get(item.pk);
        return scope ? { scope, invoice: toInvoice(item) } : [];
      });
    },

    /** Yields the listed invoices of a supplier in a range of sort dates, oldest first, page by page. */
    readRange: (scope: SupplierScope, range: DateRange) => readBetween(scope, buildPositionBounds(range)),

    /** Yields the withdrawn invoices of a supplier, page by page. */
    readWithdrawn: (scope: SupplierScope) => readBetween(scope, WITHDRAWN_BOUNDS),

    /** Reads the ids of all listed invoices of a supplier by their folded own invoice numbers, oldest first. */
    async readIdsByNumber(scope: SupplierScope): Promise<Map<string, string[]>> {
      const pages = query<Pick<InvoiceItem, 'sk' | 'search_text'>>({
        IndexName: LIST_INDEX,
        // The positions of listed invoices begin with a date, so that they are before those of withdrawn invoices.
        KeyConditionExpression: 'pk = :pk AND list_position < :withdrawn',
        ExpressionAttributeValues: { ':pk': buildInvoicePartition(scope), ':withdrawn': WITHDRAWN_BOUNDS.first },
        ProjectionExpression: 'sk, search_text',
      });
      const idsByNumber = new Map<string, string[]>();
      for await (const entries of pages) {
        for (const { sk: invoiceId, search_text: searchText } of entries) {
          const number = parseOwnNumber(searchText);
          if (number === '') continue;
          const ids = idsByNumber.get(number) ?? [];
          ids.push(invoiceId);
          idsByNumber.set(number, ids);
        }
      }
      return idsByNumber;
    },

    /** Yields the items of all invoices of a supplier, page by page. */
    readItems: (scope: SupplierScope) => query<InvoiceItem>(buildPartitionCondition(buildInvoicePartition(scope))),

    /** Yields the invoices of a supplier that a command created, page by page. Reads all invoices of the supplier. */
    async *readCreatedBy(scope: SupplierScope, commandId: string): AsyncGenerator<Invoice[], void> {
      const pages = query<InvoiceItem>({
        KeyConditionExpression: 'pk = :pk',
        FilterExpression: 'created_by = :command',
        ExpressionAttributeValues: { ':pk': buildInvoicePartition(scope), ':command': commandId },
      });
      for await (const items of pages) yield items.map(toInvoice);
    },
  };
}
