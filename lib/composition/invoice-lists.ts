import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createByteCache } from '../runtime/byte-cache.ts';
import { systemClock } from '../runtime/clock.ts';
import { tableName } from '../runtime/env.ts';
import { createDayIndexes } from '../services/day-indexes.ts';
import type { InvoiceLists } from '../services/invoice-lists.ts';
import { createDayIndexTable } from '../storage/invoices/day-index-table.ts';
import { createInvoiceRows } from '../storage/invoices/row-table.ts';

// Some 300,000 entries, in a function of 1,024 MB.
const REMEMBERED_BYTES = 96 * 1024 * 1024;

/** What lists are made of, over the tables named in the environment. */
export function invoiceLists(client: DynamoDBDocumentClient): InvoiceLists {
  const rows = createInvoiceRows(client, tableName('INVOICES'));
  const store = createDayIndexTable(client, tableName('DAY_INDEXES'), systemClock);
  return { rows, indexes: createDayIndexes(rows, store, createByteCache(REMEMBERED_BYTES)) };
}
