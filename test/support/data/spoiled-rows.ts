import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { buildRows } from '../../../lib/tables/invoice-items.ts';
import type { Key } from '../../../lib/tables/dynamodb/reads.ts';
import { buildCounterSortKey, buildInvoicePartition } from '../../../lib/tables/keys.ts';
import type { TestEngine } from '../engine/engine.ts';

/** Creates functions that change the rows and counters of a supplier without the service, to make them inconsistent. */
export function createTableEditor({ client, tables }: TestEngine, scope: SupplierScope) {
  const TableName = tables.Invoices;
  return {
    /** Writes the rows of a changed invoice: in the list of all invoices (0), and in the list of its state (1). */
    putRows: async (invoice: Invoice, changes: Partial<Invoice> = {}, lists: readonly (0 | 1)[] = [0, 1]) => {
      const rows = buildRows(scope, { ...invoice, ...changes });
      for (const list of lists) await client.send(new PutCommand({ TableName, Item: rows[list] }));
    },

    deleteRow: async (invoice: Invoice, list: 0 | 1) => {
      const { pk, sk } = buildRows(scope, invoice)[list];
      await client.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
    },

    /** Sets attributes of a row. An attribute that is undefined is removed. */
    changeRow: async ({ pk, sk }: Key, attributes: object) => {
      const { Item } = await client.send(new GetCommand({ TableName, Key: { pk, sk } }));
      await client.send(new PutCommand({ TableName, Item: { ...Item, ...attributes } }));
    },

    /** Adds a number to a counter or fingerprint of a month (yyyy-mm). */
    addToCounter: async (month: string, shard: number, counter: string, added: number) => {
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
