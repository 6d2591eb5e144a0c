import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DateRange } from '../../../lib/domain/date-range.ts';
import type { StateCode } from '../../../lib/domain/invoice-states.ts';
import type { InvoiceRow, SupplierScope } from '../../../lib/domain/invoice.ts';
import { positionsBetween } from '../../../lib/domain/list-entry.ts';
import { between, queryPages } from '../../../lib/tables/dynamodb/paged-items.ts';
import { type InvoiceRowItem, toListed } from '../../../lib/tables/invoice-items.ts';
import { parseRowKey, rowPartition, rowPrefix } from '../../../lib/tables/keys.ts';

// Small pages: several months are read in parallel, and one or two pages of each are in memory.
const PAGE_ROWS = 250;

/** A filter of the invoices of a month (yyyy-mm, UTC): a range of sort dates, and a state or (null) all states. */
export interface ListedMonth {
  readonly month: string;
  readonly range: DateRange;
  readonly state: StateCode | null;
}

/** An invoice in the form of lists, with the date by which lists are sorted (ISO 8601 UTC, milliseconds). */
export interface ListedInvoice extends InvoiceRow {
  readonly sortDate: string;
}

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
    yield items.map((item) => ({ ...toListed(item.invoice_id, item), sortDate: parseRowKey(item.sk).sortDate }));
  }
}
