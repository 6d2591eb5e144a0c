import { type DynamoDBDocumentClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { InvoiceRow } from '../domain/invoice.ts';
import { foldText } from '../domain/search-text.ts';
import type { InvoiceLists, RowSelection } from '../services/invoice-pages.ts';
import { readDayCounts } from './day-counters.ts';
import { type InvoiceRowItem, toInvoiceRow } from './invoice-items.ts';
import { invoicePartition, keyBounds } from './keys.ts';
import { PAGE_ITEMS } from './paged-items.ts';

/** The repository of the indexes by-date and by-state of Invoices; strongly consistent. */
export function createInvoiceIndex(client: DynamoDBDocumentClient, table: string): InvoiceLists {
  async function* pages(
    selection: RowSelection,
    { ExpressionAttributeValues, ...input }: Partial<QueryCommandInput> = {},
  ) {
    const { values, ...index } = selected(selection);
    let startKey: Record<string, unknown> | undefined;
    do {
      const page = await client.send(
        new QueryCommand({
          TableName: table,
          ...index,
          ExpressionAttributeValues: { ...values, ...ExpressionAttributeValues },
          ScanIndexForward: false,
          ConsistentRead: true,
          Limit: PAGE_ITEMS,
          ...input,
          ExclusiveStartKey: startKey,
        }),
      );
      yield { count: page.Count ?? 0, rows: ((page.Items ?? []) as InvoiceRowItem[]).map(toInvoiceRow) };
      startKey = page.LastEvaluatedKey;
    } while (startKey);
  }

  return {
    dayCounts: ({ scope, range, state }) => readDayCounts(client, table, scope, range, state),

    async count(selection) {
      let total = 0;
      for await (const { count } of pages(selection, { Select: 'COUNT' })) total += count;
      return total;
    },

    async newest(selection, most) {
      const found: InvoiceRow[] = [];
      for await (const { rows } of pages(selection, { Limit: Math.min(most, PAGE_ITEMS) })) {
        found.push(...rows);
        if (found.length >= most) break;
      }
      return found.slice(0, most);
    },

    async search(selection, text, most) {
      const matching = {
        FilterExpression: 'contains(search_text, :text)',
        ExpressionAttributeValues: { ':text': foldText(text) },
      };
      const found: InvoiceRow[] = [];
      let total = 0;
      for await (const { count, rows } of pages(selection, matching)) {
        total += count;
        found.push(...rows.slice(0, most - found.length));
      }
      return { count: total, rows: found };
    },
  };
}

function selected({ scope, range, state }: RowSelection) {
  const { first, last } = keyBounds(state, new Date(range.startMs).toISOString(), new Date(range.endMs).toISOString());
  return {
    IndexName: state ? 'by-state' : 'by-date',
    KeyConditionExpression: `pk = :pk AND ${state ? 'by_state' : 'by_date'} BETWEEN :first AND :last`,
    values: { ':pk': invoicePartition(scope), ':first': first, ':last': last },
  };
}
