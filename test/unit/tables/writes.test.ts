import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { expect, it, vi } from 'vitest';
import { putItem, updateItem } from '../../../lib/tables/dynamodb/writes.ts';

const throttled = new Error('ThrottlingException');
const conditionFailed = new ConditionalCheckFailedException({
  ...{ $metadata: {}, message: 'The conditional request failed', Item: { sk: { S: '1' } } },
});

it.each([
  ['putItem', putItem],
  ['updateItem', updateItem],
])('%s returns whether the item was written, with the current item, and throws any other error', async (_, write) => {
  const send = vi.fn<() => Promise<object>>();
  const writeOnce = () => write({ send }, { TableName: 'T', Key: { pk: 'p' }, Item: { pk: 'p' } });
  send.mockResolvedValueOnce({ Attributes: { sk: { S: '2' } } });
  expect(await writeOnce()).toEqual({ kind: 'written', current: { sk: '2' } });
  send.mockRejectedValueOnce(conditionFailed);
  expect(await writeOnce()).toEqual({ kind: 'rejected', current: { sk: '1' } });
  send.mockRejectedValueOnce(throttled);
  await expect(writeOnce()).rejects.toBe(throttled);
});
