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

/** Writes an index, and returns the stored items with the index that is read from them after a change. */
async function store(index: ReturnType<typeof buildIndex>, change: object = {}) {
  const items: object[] = [];
  const client = {
    send: async ({ input }: PutCommand | BatchGetCommand) => {
      if ('Item' in input) items.push(input.Item ?? {});
      return { Responses: { T: items.map((item) => ({ ...item, ...change })) } };
    },
  } as unknown as DynamoDBDocumentClient;
  const table = createDayIndexTable(client, 'T', { now: () => new Date() });
  await table.write(scope, day, index);
  return { items: items as { readonly data: Uint8Array }[], read: (await table.read(scope, [day])).get(day) };
}

it('createDayIndexTable reads the index of a day unchanged, and writes none that exceeds an item', async () => {
  const index = buildIndex(2000);
  const { items, read } = await store(index);
  const [{ data, ...item }] = items as [{ readonly data: Uint8Array }];
  expect(data.length).toBeGreaterThan(250_000);
  expect(computeItemBytes(item) + data.length + 1000).toBeLessThan(MAX_ITEM_BYTES);
  expect(read).toEqual(index);
  expect((await store(buildIndex(4000))).items).toEqual([]);
});

it.each([{ format: '2' }, { parts: fromInteger(2) }])(
  'createDayIndexTable does not read an index of another format: %j',
  async (change) => {
    expect((await store(buildIndex(1), change)).read).toBeUndefined();
  },
);
