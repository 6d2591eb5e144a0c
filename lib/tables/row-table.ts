import { type DynamoDBDocumentClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { InvoiceRow } from '../domain/invoice.ts';
import { type ListEntry, monthOf, positionsBetween } from '../domain/list-entry.ts';
import type { InvoiceRows, RowSelection } from '../invoices/invoice-lists.ts';
import { batchGet } from './dynamodb/batch-get.ts';
import { PAGE_ITEMS } from './dynamodb/paged-items.ts';
import { type InvoiceRowItem, toEntry, toListed } from './invoice-items.ts';
import { positionOfRow, rowKey, rowPartition, rowPrefix } from './keys.ts';
import { readDayCounts } from './counter-reads.ts';

/** Creates the repository of the rows of Invoices; its reads are strongly consistent. */
export function createInvoiceRows(client: DynamoDBDocumentClient, table: string): InvoiceRows {
  /** Yields the pages of a selection; `next` adds to the query of each page. */
  async function* pages(selection: RowSelection, next: () => Partial<QueryCommandInput>) {
    let startKey: Record<string, unknown> | undefined;
    do {
      const { ExpressionAttributeValues, ...input } = next();
      const page = await client.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
          ExpressionAttributeValues: { ...buildBounds(selection), ...ExpressionAttributeValues },
          ScanIndexForward: false,
          ConsistentRead: true,
          Limit: PAGE_ITEMS,
          ...input,
          ExclusiveStartKey: startKey,
        }),
      );
      yield { count: page.Count ?? 0, items: (page.Items ?? []) as InvoiceRowItem[] };
      startKey = page.LastEvaluatedKey;
    } while (startKey);
  }

  return {
    dayCounts: ({ scope, range, state }) => readDayCounts(client, table, scope, range, state),

    async count(selection) {
      let total = 0;
      for await (const { count } of pages(selection, () => ({ Select: 'COUNT' }))) total += count;
      return total;
    },

    async read(selection, most, from = 'newest') {
      const found: InvoiceRow[] = [];
      const next = () => ({
        ScanIndexForward: from === 'oldest',
        Limit: Math.min(most - found.length, PAGE_ITEMS),
      });
      for await (const { items } of pages(selection, next)) {
        found.push(...items.map(toRow));
        if (found.length >= most) break;
      }
      return from === 'newest' ? found : found.toReversed();
    },

    async search(selection, text, most) {
      const found: InvoiceRow[] = [];
      let total = 0;
      const next = (): Partial<QueryCommandInput> => ({
        FilterExpression: 'contains(search_text, :text)',
        ExpressionAttributeValues: { ':text': text },
        ...(found.length >= most && { Select: 'COUNT' }),
      });
      for await (const { count, items } of pages(selection, next)) {
        total += count;
        found.push(...items.slice(0, most - found.length).map(toRow));
      }
      return { count: total, rows: found };
    },

    async entries(scope, range) {
      const entries: ListEntry[] = [];
      const next = () => ({ ProjectionExpression: 'sk, state_code, search_text' });
      for await (const { items } of pages({ scope, range, state: null }, next)) entries.push(...items.map(toEntry));
      return entries;
    },

    async at(scope, positions) {
      const keys = positions.map((position) => rowKey(scope, position, null));
      const items = await batchGet<InvoiceRowItem>(client, table, keys);
      return new Map(items.map((item) => [positionOfRow(item.sk), { row: toRow(item), text: item.search_text }]));
    },
  };
}

function toRow(item: InvoiceRowItem): InvoiceRow {
  return toListed(item.invoice_id, item);
}

function buildBounds({ scope, range, state }: RowSelection) {
  const { first, last } = positionsBetween(range);
  const prefix = rowPrefix(state);
  return {
    ':pk': rowPartition(scope, monthOf(first)),
    ':first': prefix + first,
    ':last': prefix + last,
  };
}
