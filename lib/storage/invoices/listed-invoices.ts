import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ListedInvoice, ListedMonth } from '../../admin/ports/admin-ports.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import { positionsBetween } from '../../domain/list-entry.ts';
import { between, queryPages } from '../dynamodb/paged-items.ts';
import { type InvoiceRowItem, toListed } from '../items/invoice-items.ts';
import { positionOfRow, rowPartition, rowPrefix } from '../items/keys.ts';

// Small pages: several months are read in parallel, and one or two pages of each are in memory.
const PAGE_ROWS = 250;

/** Yields the pages of a supplier's invoices in the form of lists, oldest first; strongly consistent. */
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
