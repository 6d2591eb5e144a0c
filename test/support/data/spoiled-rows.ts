import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { buildRows } from '../../../lib/tables/invoice-items.ts';
import type { Key } from '../../../lib/tables/dynamodb/reads.ts';
import { buildCounterSortKey, buildInvoicePartition } from '../../../lib/tables/keys.ts';
import type { TestEngine } from '../engine/engine.ts';

/** Changes rows and counters of a supplier behind the service's back. */
export function spoil({ client, tables }: TestEngine, scope: SupplierScope) {
  const TableName = tables.Invoices;
  return {
    /**
     * Writes the rows that an invoice would have with these changes, in the list of all (0), in that of its state (1).
     */
    putRows: async (invoice: Invoice, changes: Partial<Invoice> = {}, of: readonly (0 | 1)[] = [0, 1]) => {
      const rows = buildRows(scope, { ...invoice, ...changes });
      for (const at of of) await client.send(new PutCommand({ TableName, Item: rows[at] }));
    },

    deleteRow: async (invoice: Invoice, at: 0 | 1) => {
      const { pk, sk } = buildRows(scope, invoice)[at];
      await client.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
    },

    /** Sets attributes of a row; those that are undefined are removed. */
    changeRow: async ({ pk, sk }: Key, attributes: object) => {
      const { Item } = await client.send(new GetCommand({ TableName, Key: { pk, sk } }));
      await client.send(new PutCommand({ TableName, Item: { ...Item, ...attributes } }));
    },

    /** Adds to a counter, or to a fingerprint, of a month (yyyy-mm). */
    addTo: async (month: string, shard: number, counter: string, added: number) => {
      await client.send(
        new UpdateCommand({
          TableName,
          Key: { pk: buildInvoicePartition(scope), sk: buildCounterSortKey(month, shard) },
          UpdateExpression: 'ADD #counter :added',
          ExpressionAttributeNames: { '#counter': counter },
          ExpressionAttributeValues: { ':added': added },
        }),
      );
    },
  };
}
