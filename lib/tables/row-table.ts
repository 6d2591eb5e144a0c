import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { monthOf, positionsBetween } from '../domain/list-entry.ts';
import { collectPages } from '../runtime/pages.ts';
import type { InvoiceRows, RowSelection } from '../invoices/invoice-lists.ts';
import { batchGet, buildRangeCondition, PAGE_ITEMS, queryPages } from './dynamodb/reads.ts';
import { readDayCounts } from './day-counters.ts';
import { type InvoiceRowItem, toEntry, toListed } from './invoice-items.ts';
import { parseRowPosition, buildRowKey, buildRowPartition, buildRowPrefix } from './keys.ts';

/** Creates the repository of the rows of Invoices; its reads are strongly consistent. */
export function createInvoiceRows(client: DynamoDBDocumentClient, TableName: string): InvoiceRows {
  function buildQuery({ scope, range, state }: RowSelection) {
    const { first, last } = positionsBetween(range);
    const prefix = buildRowPrefix(state);
    const condition = buildRangeCondition(buildRowPartition(scope, monthOf(first)), prefix + first, prefix + last);
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

    async read(selection, most) {
      // Pages of equal size read no more rows than needed.
      const Limit = Math.ceil(most / Math.ceil(most / PAGE_ITEMS));
      const found: InvoiceRowItem[] = [];
      for await (const items of queryPages<InvoiceRowItem>(client, { ...buildQuery(selection), Limit })) {
        found.push(...items);
        if (found.length >= most) break;
      }
      return found.slice(0, most).map(toRow);
    },

    async search(selection, text) {
      const { ExpressionAttributeValues: bounds, ...query } = buildQuery(selection);
      const values = { ...bounds, ':text': text };
      const filter = { FilterExpression: 'contains(search_text, :text)', ExpressionAttributeValues: values };
      return (await collectPages(queryPages<InvoiceRowItem>(client, { ...query, ...filter }))).map(toRow);
    },

    async readEntries(scope, range) {
      const ProjectionExpression = 'sk, state_code, search_text';
      const query = { ...buildQuery({ scope, range, state: null }), ProjectionExpression };
      return (await collectPages(queryPages<InvoiceRowItem>(client, query))).map(toEntry);
    },

    async readAt(scope, positions) {
      const keys = positions.map((position) => buildRowKey(scope, position, null));
      const items = await batchGet<InvoiceRowItem>(client, TableName, keys);
      return new Map(items.map((item) => [parseRowPosition(item.sk), { row: toRow(item), text: item.search_text }]));
    },
  };
}

const toRow = (item: InvoiceRowItem) => toListed(item.invoice_id, item);
