import { ConditionalCheckFailedException, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it, vi } from 'vitest';
import { putItem, updateItem } from '../../../lib/tables/dynamodb/writes.ts';

const plainItem = { pk: 'p', count: 1 };
const storedItem = { pk: { S: 'p' }, count: { N: '1' } };
const put = (client: { send: () => Promise<object> }) => putItem(client, { TableName: 'T', Item: plainItem });
const update = (client: { send: () => Promise<object> }) => updateItem(client, { TableName: 'T', Key: plainItem });

it.each([
  ['putItem', put, PutItemCommand, { TableName: 'T', Item: storedItem }],
  ['updateItem', update, UpdateItemCommand, { TableName: 'T', Key: storedItem }],
])('%s sends its command with converted values, and returns the converted item', async (_, write, Command, input) => {
  const send = vi.fn<(command?: object) => Promise<object>>().mockResolvedValue({ Attributes: { sk: { S: '2' } } });
  expect(await write({ send })).toEqual({ kind: 'written', current: { sk: '2' } });
  expect(send.mock.lastCall?.[0]).toBeInstanceOf(Command);
  expect(send.mock.lastCall?.[0]).toMatchObject({ input });
});

it.each([
  ['putItem', put],
  ['updateItem', update],
])('%s returns the current item if its condition is false, and throws every other error', async (_, write) => {
  const Item = { sk: { S: '1' } };
  const rejection = new ConditionalCheckFailedException({ $metadata: {}, message: 'The condition is false.', Item });
  const throttling = new Error('ThrottlingException');
  const send = vi.fn<() => Promise<object>>().mockRejectedValueOnce(rejection).mockRejectedValueOnce(throttling);
  expect(await write({ send })).toEqual({ kind: 'rejected', current: { sk: '1' } });
  await expect(write({ send })).rejects.toBe(throttling);
});
