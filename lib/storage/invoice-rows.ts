import { type DynamoDBDocumentClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { InvoiceRow } from '../domain/invoice.ts';
import { monthOf, placesBetween } from '../domain/list-entry.ts';
import { foldText } from '../domain/search-text.ts';
import type { InvoiceLists, RowSelection } from '../services/invoice-lists.ts';
import { readDayCounts } from './day-counts.ts';
import { type InvoiceRowItem, toListed } from './invoice-row-items.ts';
import { rowPartition, rowPrefix } from './keys.ts';
import { PAGE_ITEMS } from './paged-items.ts';

/** The repository of the rows of Invoices; strongly consistent. */
export function createInvoiceRows(client: DynamoDBDocumentClient, table: string): InvoiceLists {
  /** The pages of a selection, each asked for as `next` says. */
  async function* pages(selection: RowSelection, next: () => Partial<QueryCommandInput>) {
    let startKey: Record<string, unknown> | undefined;
    do {
      const { ExpressionAttributeValues, ...input } = next();
      const page = await client.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
          ExpressionAttributeValues: { ...boundsOf(selection), ...ExpressionAttributeValues },
          ScanIndexForward: false,
          ConsistentRead: true,
          Limit: PAGE_ITEMS,
          ...input,
          ExclusiveStartKey: startKey,
        }),
      );
      const items = (page.Items ?? []) as InvoiceRowItem[];
      yield { count: page.Count ?? 0, rows: items.map((item) => toListed(item.invoice_id, item)) };
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

    async rows(selection, most, from = 'newest') {
      const found: InvoiceRow[] = [];
      const next = () => ({
        ScanIndexForward: from === 'oldest',
        Limit: Math.min(most - found.length, PAGE_ITEMS),
      });
      for await (const { rows } of pages(selection, next)) {
        found.push(...rows);
        if (found.length >= most) break;
      }
      return from === 'newest' ? found : found.toReversed();
    },

    async search(selection, text, most) {
      const found: InvoiceRow[] = [];
      let total = 0;
      const next = (): Partial<QueryCommandInput> => ({
        FilterExpression: 'contains(search_text, :text)',
        ExpressionAttributeValues: { ':text': foldText(text) },
        ...(found.length >= most && { Select: 'COUNT' }),
      });
      for await (const { count, rows } of pages(selection, next)) {
        total += count;
        found.push(...rows.slice(0, most - found.length));
      }
      return { count: total, rows: found };
    },
  };
}

function boundsOf({ scope, range, state }: RowSelection) {
  const from = new Date(range.startMs).toISOString();
  const { first, last } = placesBetween(from, new Date(range.endMs).toISOString());
  const prefix = rowPrefix(state);
  return { ':pk': rowPartition(scope, monthOf(from)), ':first': prefix + first, ':last': prefix + last };
}
