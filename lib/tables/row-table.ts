import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { toMonth, buildPositionBounds } from '../domain/list-entry.ts';
import { collectPages } from '../runtime/pages.ts';
import type { InvoiceRows, RowSelection } from '../invoices/invoice-lists.ts';
import { batchGet, buildRangeCondition, PAGE_ITEMS, queryPages } from './dynamodb/reads.ts';
import { readDayCounts } from './day-counters.ts';
import { type InvoiceRowItem, toRowEntry, toListedInvoice } from './invoice-items.ts';
import { parseRowPosition, buildRowKey, buildRowPartition, buildRowPrefix } from './keys.ts';

/** Creates the repository of the rows in the table Invoices. All reads are strongly consistent. */
export function createInvoiceRows(client: DynamoDBDocumentClient, TableName: string): InvoiceRows {
  /** Builds the query of the selected rows, newest first. The range is within one month, which is one partition. */
  function buildQuery({ scope, range, state }: RowSelection) {
    const { first, last } = buildPositionBounds(range);
    const prefix = buildRowPrefix(state);
    const condition = buildRangeCondition(buildRowPartition(scope, toMonth(first)), prefix + first, prefix + last);
    return { TableName, ...condition, ScanIndexForward: false, ConsistentRead: true, Limit: PAGE_ITEMS };
  }

  return {
    readDayCounts: (selection) => readDayCounts(client, TableName, selection),

    async count(selection) {
      let total = 0;
      const query = { ...buildQuery(selection), Select: 'COUNT' as const };
      for await (const { Count = 0 } of paginateQuery({ client }, query)) total += Count;
      return total;
    },

    async read(selection, maxRows) {
      // 1,100 rows are read as two pages of 550 rows. Pages of 1,000 rows would read 900 rows too many.
      const pageCount = Math.ceil(maxRows / PAGE_ITEMS);
      const Limit = Math.ceil(maxRows / pageCount);
      const rowItems: InvoiceRowItem[] = [];
      for await (const page of queryPages<InvoiceRowItem>(client, { ...buildQuery(selection), Limit })) {
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
      return new Map(items.map((item) => [parseRowPosition(item.sk), { row: toRow(item), text: item.search_text }]));
    },
  };
}

const toRow = (item: InvoiceRowItem) => toListedInvoice(item.invoice_id, item);
