import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { toMonth, buildPositionBounds } from '../domain/list-entry.ts';
import { collectPages } from '../runtime/pages.ts';
import type { InvoiceRows, RowSelection } from '../invoices/invoice-lists.ts';
import { batchGet, buildRangeCondition, PAGE_ITEMS, queryPages } from './dynamodb/reads.ts';
import { readDayCounts } from './day-counters.ts';
import { type InvoiceRowItem, toRowEntry, toListedInvoice } from './invoice-items.ts';
import { buildRowKey, buildRowPartition, buildRowPrefix } from './keys.ts';

/** Creates the repository of the rows in the table Invoices. All reads are strongly consistent. */
export function createInvoiceRows(client: DynamoDBDocumentClient, TableName: string): InvoiceRows {
  /** Builds the query of the selected rows, newest first. The range is within one month, which is one partition. */
  function buildQuery({ scope, range, state }: RowSelection, fromPosition?: string) {
    const { first, last } = buildPositionBounds(range);
    const prefix = buildRowPrefix(state);
    const bounds = [prefix + first, prefix + (fromPosition ?? last)] as const;
    const condition = buildRangeCondition(buildRowPartition(scope, toMonth(first)), ...bounds);
    return { TableName, ...condition, ScanIndexForward: false, ConsistentRead: true, Limit: PAGE_ITEMS };
  }

  return {
    maxQueriedRows: PAGE_ITEMS,
    readDayCounts: (selection) => readDayCounts(client, TableName, selection),

    async count(selection) {
      const query = new QueryCommand({ ...buildQuery(selection), Select: 'COUNT' });
      const { Count = 0, LastEvaluatedKey } = await client.send(query);
      return LastEvaluatedKey ? null : Count;
    },

    async read(selection, maxRows, fromPosition) {
      const query = { ...buildQuery(selection, fromPosition), Limit: maxRows };
      const rowItems: InvoiceRowItem[] = [];
      for await (const page of queryPages<InvoiceRowItem>(client, query)) {
        rowItems.push(...page);
        if (rowItems.length >= maxRows) break;
      }
      return rowItems.slice(0, maxRows).map(toRow);
    },

    async search(selection, text) {
      const query = buildQuery(selection);
      const pages = queryPages<InvoiceRowItem>(client, {
        ...query,
        FilterExpression: 'contains(search_text, :text)',
        ExpressionAttributeValues: { ...query.ExpressionAttributeValues, ':text': text },
      });
      return (await collectPages(pages)).map(toRow);
    },

    async readEntries(scope, range) {
      const query = buildQuery({ scope, range, state: null });
      const attributes = { ProjectionExpression: 'sk, state_code, search_text' };
      return (await collectPages(queryPages<InvoiceRowItem>(client, { ...query, ...attributes }))).map(toRowEntry);
    },

    async readAt(scope, positions) {
      const keys = positions.map((position) => buildRowKey(scope, position, null));
      const items = await batchGet<InvoiceRowItem>(client, TableName, keys);
      return items.map((item) => ({ row: toRow(item), entry: toRowEntry(item) }));
    },
  };
}

const toRow = (item: InvoiceRowItem) => toListedInvoice(item.invoice_id, item);
