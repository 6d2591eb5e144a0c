import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { engineClient } from '../../../infra/local/engine-client.ts';
import { createLruCache } from '../../../lib/runtime/lru-cache.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { createDayIndexes } from '../../../lib/services/day-indexes.ts';
import type { InvoiceLists } from '../../../lib/services/invoice-lists.ts';
import { meterCalls } from '../../../lib/storage/dynamodb/document-client.ts';
import { createDayIndexTable } from '../../../lib/storage/invoices/day-index-table.ts';
import { createInvoiceRows } from '../../../lib/storage/invoices/row-table.ts';
import type { TestEngine } from '../engine/engine.ts';

/** What a process of its own reads lists with: it remembers nothing yet, and at most `rememberedBytes`. */
export function listProcess({ endpoint, tables }: TestEngine, rememberedBytes = 10_000_000): InvoiceLists {
  const calls = engineClient(endpoint);
  // Asks the engine for the capacity that a call takes.
  meterCalls(calls, () => undefined);
  const client = DynamoDBDocumentClient.from(calls, { unmarshallOptions: { wrapNumbers: true } });
  const rows = createInvoiceRows(client, tables.Invoices);
  const store = createDayIndexTable(client, tables.DayIndexes, systemClock);
  return { rows, indexes: createDayIndexes(rows, store, createLruCache(rememberedBytes)) };
}
