import type { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
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
