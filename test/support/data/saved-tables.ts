import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { type Key, scanPages } from '../../../lib/tables/dynamodb/reads.ts';
import type { TestEngine } from '../engine/engine.ts';

const TABLES = ['Invoices', 'Declarations', 'Directory'] as const;

type Item = Key<unknown> & Readonly<Record<string, unknown>>;

/** Saves the items of the tables. Returns a function that puts them back, as a restore to an earlier second does. */
export async function saveTables({ client, tables }: TestEngine): Promise<() => Promise<void>> {
  const readItems = (TableName: string) => collectPages(scanPages<Item>(client, { TableName, ConsistentRead: true }));
  const saved = await Promise.all(
    TABLES.map(async (name) => ({ table: tables[name], items: await readItems(tables[name]) })),
  );
  return async () => {
    for (const { table: TableName, items } of saved) {
      for (const { pk, sk } of await readItems(TableName)) {
        await client.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
      }
      for (const Item of items) await client.send(new PutCommand({ TableName, Item }));
    }
  };
}
