import { randomBytes } from 'node:crypto';
import type { BatchGetCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { buildPosition } from '../../../lib/domain/list-entry.ts';
import { buildDayIndex } from '../../../lib/invoices/day-indexes.ts';
import { createDayIndexTable } from '../../../lib/tables/day-index-table.ts';
import { fromInteger, computeItemBytes, MAX_ITEM_BYTES } from '../../../lib/tables/dynamodb/values.ts';

const scope = { tenant: 't'.repeat(253), supplierId: '9'.repeat(20) };
const day = '2026-03-01';
const buildIndex = (count: number) =>
  buildDayIndex(
    Array.from({ length: count }, (_, at) => ({
      position: buildPosition({ sortDate: '2026-03-01T00:00:00.000Z', invoiceId: `${at}` }),
      state: at % 2 === 0 ? 'PEN' : 'REV',
      text: `ñ${randomBytes(150).toString('hex')}\n\n\n${at}`,
    })),
  );

interface Item {
  readonly sk: string;
  readonly data: Uint8Array;
}

/** Creates the store of indexes on a table in memory, with the stored items. */
function createStore() {
  const items = new Map<string, Item>();
  const client = {
    send: async ({ input }: PutCommand | BatchGetCommand) => {
      if ('Item' in input) return void items.set((input.Item as Item).sk, input.Item as Item);
      const keys = input.RequestItems?.['T']?.Keys ?? [];
      return { Responses: { T: keys.flatMap(({ sk }) => items.get(sk as string) ?? []) } };
    },
  } as unknown as DynamoDBDocumentClient;
  const table = createDayIndexTable(client, 'T', { now: () => new Date() });
  return {
    items,
    write: (index: ReturnType<typeof buildIndex>) => table.write(scope, day, index),
    read: async () => (await table.read(scope, [day])).get(day),
  };
}

it('createDayIndexTable reads an index unchanged, and divides a large index into items of at most 400 KB', async () => {
  const { items, write, read } = createStore();
  const [small, large] = [buildIndex(2000), buildIndex(8000)];
  await write(small);
  expect([...items.keys()]).toEqual([`${day}#0`]);
  expect(await read()).toEqual(small);
  await write(large);
  expect([...items.keys()]).toEqual([`${day}#0`, `${day}#1`, `${day}#2`, `${day}#3`]);
  for (const { data, ...item } of items.values()) {
    expect(computeItemBytes(item) + data.length).toBeLessThan(MAX_ITEM_BYTES);
  }
  expect(await read()).toEqual(large);
  await write(small);
  expect(await read()).toEqual(small);
});

it.each([
  ['a part is absent', (items: Map<string, Item>) => items.delete(`${day}#1`)],
  ['a part is from another index', (items: Map<string, Item>) => change(items, 1, { fingerprint: fromInteger(1) })],
  ['the first part is of another format', (items: Map<string, Item>) => change(items, 0, { format: '1' })],
  ['another part is of another format', (items: Map<string, Item>) => change(items, 1, { format: '3' })],
])('createDayIndexTable does not read an index if %s', async (_, spoil) => {
  const { items, write, read } = createStore();
  await write(buildIndex(8000));
  spoil(items);
  expect(await read()).toBeUndefined();
});

function change(items: Map<string, Item>, part: number, attributes: object): void {
  const sk = `${day}#${part}`;
  items.set(sk, { ...items.get(sk)!, ...attributes });
}

it('createDayIndexTable writes the format 2, which earlier versions ignore', async () => {
  const { items, write } = createStore();
  await write(buildIndex(1));
  expect(items.get(`${day}#0`)).toMatchObject({ format: '2' });
});
