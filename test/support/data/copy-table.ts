import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { readStack } from '../../../infra/local/read-stack.ts';
import { splitIntoChunks } from '../../../lib/runtime/pages.ts';
import { scanPages } from '../../../lib/tables/dynamodb/reads.ts';
import type { TestEngine } from '../engine/engine.ts';

/** Copies a table with all its items to a new table, as a restore by point in time does. */
export async function copyTable({ client }: Pick<TestEngine, 'client'>, source: string, target: string): Promise<void> {
  const { input } = readStack().tables.find(({ input: { TableName } }) => TableName === source)!;
  await client.send(new CreateTableCommand({ ...input, TableName: target }));
  await copyItems({ client, table: source }, { client, table: target });
}

interface Table {
  readonly client: TestEngine['client'];
  readonly table: string;
}

/** Copies the items of a table to another table, which can be in another engine. */
export async function copyItems(source: Table, target: Table): Promise<void> {
  for await (const items of scanPages<Record<string, unknown>>(source.client, { TableName: source.table })) {
    for (const chunk of splitIntoChunks(items, 25)) {
      const writes = chunk.map((Item) => ({ PutRequest: { Item } }));
      await target.client.send(new BatchWriteCommand({ RequestItems: { [target.table]: writes } }));
    }
  }
}
