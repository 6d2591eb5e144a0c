import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ListedInvoice, ListedMonth } from '../../admin/ports/admin-ports.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import { positionsBetween } from '../../domain/list-entry.ts';
import { between, queryPages } from '../dynamodb/paged-items.ts';
import { type InvoiceRowItem, toListed } from '../items/invoice-items.ts';
import { positionOfRow, rowPartition, rowPrefix } from '../items/keys.ts';

// Of some months at a time, a page or two are held.
const PAGE_ROWS = 250;

/** A supplier's invoices as the lists have them, oldest first, page by page; strongly consistent. */
export async function* listedInvoices(
  client: DynamoDBDocumentClient,
  invoicesTable: string,
  scope: SupplierScope,
  { month, range, state }: ListedMonth,
): AsyncGenerator<ListedInvoice[]> {
  const { first, last } = positionsBetween(range);
  const prefix = rowPrefix(state);
  const rows = between(rowPartition(scope, month), prefix + first, prefix + last);
  const query = { TableName: invoicesTable, ...rows, Limit: PAGE_ROWS };
  for await (const items of queryPages<InvoiceRowItem>(client, query)) {
    yield items.map((item) => ({
      ...toListed(item.invoice_id, item),
      sortDate: positionOfRow(item.sk).split('#')[0] ?? '',
    }));
  }
}
