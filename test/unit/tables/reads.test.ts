import type { BatchGetItemCommand, BatchGetItemCommandOutput } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { runWithinDeadline } from '../../../lib/runtime/request-scope.ts';
import { batchGet } from '../../../lib/tables/dynamodb/reads.ts';
import { type StoredNumber, toInteger } from '../../../lib/tables/dynamodb/values.ts';

it('batchGet reads any number of keys in calls of at most 100, at most 4 of them at a time', async () => {
  const calls: number[] = [];
  let [running, mostRunning] = [0, 0];
  const client = {
    async send({ input }: BatchGetItemCommand) {
      const keys = input.RequestItems?.['T']?.Keys ?? [];
      calls.push(keys.length);
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return { Responses: { T: keys } };
    },
  };
  const keys = Array.from({ length: 750 }, (_, index) => ({ pk: 'p', sk: index }));
  const items = await batchGet<{ readonly sk: StoredNumber }>(client, 'T', keys);
  const sortKeys = items.map(({ sk }) => toInteger(sk)).toSorted((a, b) => a - b);
  expect(sortKeys).toEqual(keys.map(({ sk }) => sk));
  expect(calls.toSorted((a, b) => a - b)).toEqual([50, ...Array.from({ length: 7 }, () => 100)]);
  expect(mostRunning).toBe(4);
});

/** Creates a client that records the inputs of its calls, and leaves the second key of each call unprocessed. */
function createPartialClient() {
  const inputs: BatchGetItemCommand['input'][] = [];
  const client = {
    async send({ input }: BatchGetItemCommand): Promise<Partial<BatchGetItemCommandOutput>> {
      inputs.push(input);
      const [first, second] = input.RequestItems?.['T']?.Keys ?? [];
      return {
        ...(first && { Responses: { T: [first] } }),
        ...(second && { UnprocessedKeys: { T: { Keys: [second] } } }),
      };
    },
  };
  return { client, inputs };
}

const keys = [
  { pk: 'p', sk: '1' },
  { pk: 'p', sk: '2' },
];

it('batchGet requests only the given attributes, and reads the keys that DynamoDB left unprocessed', async () => {
  const { client, inputs } = createPartialClient();
  expect(await batchGet(client, 'T', keys, ['sk', 'name'])).toEqual(keys);
  const projection = {
    ConsistentRead: true,
    ProjectionExpression: '#a0, #a1',
    ExpressionAttributeNames: { '#a0': 'sk', '#a1': 'name' },
  };
  expect(inputs.map(({ RequestItems }) => RequestItems)).toMatchObject([{ T: projection }, { T: projection }]);
});

it('batchGet without a list of attributes requests all attributes', async () => {
  const { client, inputs } = createPartialClient();
  await batchGet(client, 'T', keys.slice(0, 1));
  expect(inputs).toEqual([
    { RequestItems: { T: { ConsistentRead: true, Keys: [{ pk: { S: 'p' }, sk: { S: '1' } }] } } },
  ]);
});

it('batchGet throws an error with the number of unread keys if no time is left for another attempt', async () => {
  const { client } = createPartialClient();
  const read = runWithinDeadline(
    () => -1,
    async () => batchGet(client, 'T', keys),
  );
  await expect(read).rejects.toThrow('The table T left 1 keys unread.');
});
