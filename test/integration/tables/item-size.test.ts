import { CreateTableCommand, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { NumberValue, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { computeItemBytes, MAX_ITEM_BYTES } from '../../../lib/tables/dynamodb/values.ts';
import { computeInvoiceBytes, fromInvoice } from '../../../lib/tables/invoice-items.ts';
import { TRANSACTION_LIMITS } from '../../../lib/tables/invoice-transaction.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const TableName = 'measured';
const engine = useEngine();
beforeAll(async () => {
  await engine.client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    }),
  );
});

/** Adds a text to the item so that computeItemBytes returns this size. */
function padItem(bytes: number, item: object): Record<string, unknown> {
  return { ...item, fill: 'x'.repeat(bytes - computeItemBytes({ ...item, fill: '' })) };
}

const numbers = '0 1 12 123 -1 -123 1200 0.01 123456.789012 -0.5 999999999999.99 1e20'.split(' ');

describe('the size of an item', () => {
  it.each<[string, unknown]>([
    ['a text', 'ñ€😀'],
    ['an empty text', ''],
    ['null', null],
    ['a boolean', false],
    ['a JavaScript number', -1234.5],
    ...numbers.map((digits): [string, unknown] => [`the number ${digits}`, NumberValue.from(digits)]),
    ['a list', ['ab', null, []]],
    ['a map', { á: 'b', c: {} }],
    ['a list of maps', [{ total: NumberValue.from('-12.345'), tax_pct: 21, text: 'Grúa' }, { open: true }]],
  ])(
    'computeItemBytes measures like the engine: an item with %s is accepted at the maximum and rejected with one byte more',
    async (_, value) => {
      const item = { pk: '1', value };
      await engine.client.send(new PutCommand({ TableName, Item: padItem(MAX_ITEM_BYTES, item) }));
      await expect(
        engine.client.send(new PutCommand({ TableName, Item: padItem(MAX_ITEM_BYTES + 1, item) })),
      ).rejects.toThrow('Item size has exceeded the maximum allowed size');
    },
  );
});

it('computeInvoiceBytes counts an invoice and its entry in the local index of its table', async () => {
  const { Table = {} } = await engine.client.send(new DescribeTableCommand({ TableName: engine.tables.Invoices }));
  const [index] = Table.LocalSecondaryIndexes ?? [];
  const keys = [...(Table.KeySchema ?? []), ...(index?.KeySchema ?? [])].map(({ AttributeName: name = '' }) => name);
  const item = fromInvoice({ tenant: 't.example', supplierId: '10' }, buildInvoice());
  const entry = [...keys, ...(index?.Projection?.NonKeyAttributes ?? [])].map((name) => [name, Object(item)[name]]);
  expect(entry).toHaveLength(7);
  expect(computeInvoiceBytes(item)).toBe(computeItemBytes(item) + computeItemBytes(Object.fromEntries(entry)));
});

describe('the bytes of a transaction', () => {
  it('a transaction is accepted if its items have 4 MB, and rejected with one byte more', async () => {
    const buildWrite = (extra: number) =>
      new TransactWriteCommand({
        TransactItems: Array.from({ length: 16 }, (_, index) => ({
          Put: {
            TableName,
            Item: padItem(TRANSACTION_LIMITS.bytes / 16 + (index === 0 ? extra : 0), { pk: `${index}` }),
          },
        })),
      });
    await engine.client.send(buildWrite(0));
    await expect(engine.client.send(buildWrite(1))).rejects.toThrow('aggregate size of the items in the transaction');
  });
});
