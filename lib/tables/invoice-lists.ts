import { type AttributeValue, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { DateRange } from '../domain/date-range.ts';
import type { InvoiceRow, SupplierScope } from '../domain/invoice.ts';
import { buildPositionBounds } from '../domain/list-entry.ts';
import { isDeadlineOver } from '../runtime/request-scope.ts';
import type { InvoiceLists, InvoiceSelection } from '../invoices/invoice-pages.ts';
import { batchGet, readPages } from './dynamodb/reads.ts';
import type { TableClient } from './dynamodb/table-client.ts';
import { fromAttributeValues } from './dynamodb/values.ts';
import { type InvoiceItem, LISTED_ATTRIBUTES, toListedInvoice } from './invoice-items.ts';
import { buildInvoiceKey, buildInvoicePartition, LIST_INDEX } from './keys.ts';

/** The attributes that decide whether a list contains an invoice, and those of its row. */
const ROW_ATTRIBUTES = ['pk', 'sk', 'list_position', 'search_text', ...LISTED_ATTRIBUTES];

/** Creates the reader of a supplier's lists. All reads are strongly consistent. */
export function createInvoiceLists(client: TableClient, TableName: string): InvoiceLists {
  return {
    async findIds(scope, selection) {
      const ids = new Set<string>();
      const query = { ...buildQuery(TableName, scope, selection), ProjectionExpression: 'sk' };
      // An invoice whose date changes between two pages of the query can be in both pages, but only once in the set.
      for await (const { Items = [] } of queryIndexPages(client, query)) {
        for (const { sk } of Items) if (sk?.S !== undefined) ids.add(sk.S);
      }
      return [...ids];
    },

    async readRows(scope, ids, selection) {
      const keys = ids.map((id) => buildInvoiceKey(scope, id));
      const items = await batchGet<InvoiceItem>(client, TableName, keys, ROW_ATTRIBUTES);
      const selectedItems = items.filter((item) => isSelected(item, selection));
      return new Map(selectedItems.map((item) => [item.sk, toListedInvoice(item.sk, item)]));
    },

    async count(scope, range) {
      let count = 0;
      const query = { ...buildQuery(TableName, scope, selectRange(range)), Select: 'COUNT' } as const;
      for await (const page of queryIndexPages(client, query)) count += page.Count ?? 0;
      return count;
    },

    async readNewest(scope, range, limit) {
      const rows = new Map<string, InvoiceRow>();
      // The index does not contain the fields of a row. DynamoDB also reads the invoices, in the same round trip.
      const query = { ...buildQuery(TableName, scope, selectRange(range)), Select: 'ALL_ATTRIBUTES' } as const;
      for await (const { Items = [] } of queryIndexPages(client, { ...query, Limit: limit })) {
        for (const values of Items) {
          const item = fromAttributeValues(values) as InvoiceItem;
          // An invoice whose date changes between two pages of the query can be in both pages.
          if (rows.size < limit) rows.set(item.sk, toListedInvoice(item.sk, item));
        }
        // The invoices of one page have at most 1 MB. The page of large invoices ends before the limit.
        if (rows.size === limit) break;
      }
      return [...rows.values()];
    },
  };
}

/** Yields the pages of a query of the index. The items are not converted, because most of them are only counted. */
async function* queryIndexPages(client: TableClient, query: QueryCommandInput) {
  let entries = 0;
  const pages = readPages((ExclusiveStartKey) =>
    client.send(new QueryCommand({ ...query, ExclusiveStartKey })).catch((cause: unknown) => {
      // The deadline prevents a call, or aborts it.
      if (!isDeadlineOver()) throw cause;
      throw new Error(`The deadline ended a list after ${entries} index entries: too many invoices.`, { cause });
    }),
  );
  for await (const page of pages) {
    entries += page.ScannedCount ?? 0;
    yield page;
  }
}

/** Selects all invoices of a range. */
function selectRange(range: DateRange): InvoiceSelection {
  return { range, state: null, text: '', changedSince: null };
}

/** Builds the query of the index for a selection, newest first. */
function buildQuery(TableName: string, scope: SupplierScope, selection: InvoiceSelection) {
  const { range, state, text, changedSince } = selection;
  const { first, last } = buildPositionBounds(range);
  const filters: string[] = [];
  const filterValues: Record<string, AttributeValue> = {};
  if (state !== null) {
    filters.push('state_code = :state');
    filterValues[':state'] = { S: state };
  }
  if (text !== '') {
    filters.push('contains(search_text, :text)');
    filterValues[':text'] = { S: text };
  }
  if (changedSince !== null) {
    filters.push('changed_ms >= :changedSinceMs');
    filterValues[':changedSinceMs'] = { N: `${Date.parse(changedSince)}` };
  }
  return {
    TableName,
    IndexName: LIST_INDEX,
    KeyConditionExpression: 'pk = :pk AND list_position BETWEEN :first AND :last',
    FilterExpression: filters.length > 0 ? filters.join(' AND ') : undefined,
    ExpressionAttributeValues: {
      ':pk': { S: buildInvoicePartition(scope) },
      ':first': { S: first },
      ':last': { S: last },
      ...filterValues,
    },
    ScanIndexForward: false,
    ConsistentRead: true,
  } satisfies QueryCommandInput;
}

/**
 * True if a selection still contains an invoice, which can have changed since the index was read. The time of its latest
 * change can only have become later.
 */
function isSelected(item: InvoiceItem, { range, state, text }: InvoiceSelection): boolean {
  const { list_position: position, search_text: searchText } = item;
  const { first, last } = buildPositionBounds(range);
  if (position < first || position > last) return false;
  return (state === null || item['state_code'] === state) && searchText.includes(text);
}
