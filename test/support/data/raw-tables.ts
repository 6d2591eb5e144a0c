import { type AttributeValue, CreateTableCommand, type CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { randomUUID } from 'node:crypto';
import { createRawTable, type RawItem, type RawTable } from '../../../lib/storage/tables/raw-table.ts';
import type { TestEngine } from '../engine/engine.ts';

/** Makes a table with these keys and their types, and gives it. */
export async function newTable(
  { client }: Pick<TestEngine, 'client'>,
  keys: Readonly<Record<string, 'S' | 'N'>>,
  others: Partial<CreateTableCommandInput> = {},
): Promise<RawTable> {
  const names = Object.keys(keys);
  const TableName = `Table-${randomUUID()}`;
  const input = {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: names.map((AttributeName, index) => ({ AttributeName, KeyType: index === 0 ? 'HASH' : 'RANGE' })),
    AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: keys[AttributeName] })),
    ...others,
  } as CreateTableCommandInput;
  await client.send(new CreateTableCommand(input));
  return createRawTable(client, TableName);
}

/** All items of a table. */
export async function itemsOf(table: RawTable): Promise<RawItem[]> {
  const items: RawItem[] = [];
  for await (const page of table.scan(0, 1)) items.push(...page);
  return items;
}

/** An item with a value of every type. */
export function itemWithEverything(pk: string, sk: string): Record<string, AttributeValue> {
  return {
    pk: { S: pk },
    sk: { S: sk },
    text: { S: 'Mecánica ligera 🚗' },
    empty: { S: '' },
    number: { N: '12345678901234567890.123456789' },
    id: { N: '1795243070161803765' },
    bytes: { B: Uint8Array.of(0, 255) },
    flag: { BOOL: false },
    nothing: { NULL: true },
    list: { L: [{ N: '1' }, { M: { a: { S: 'b' } } }] },
    words: { SS: ['b', 'a'] },
    numbers: { NS: ['10', '9'] },
    blobs: { BS: [Uint8Array.of(2), Uint8Array.of(1)] },
  };
}
