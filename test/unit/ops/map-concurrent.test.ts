import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { mapConcurrent } from '../../../infra/ops/review/reviewed-invoices.ts';

describe('mapConcurrent', () => {
  it.each([1, 2, 5])('yields the results in the order of the items, with %i calls in parallel', async (most) => {
    let [running, longest] = [0, 0];
    const results = mapConcurrent([4, 1, 3, 2], most, async (turns) => {
      longest = Math.max(longest, (running += 1));
      for (let turn = 0; turn < turns; turn++) await setImmediate();
      running -= 1;
      return turns;
    });
    const yielded: number[] = [];
    for await (const result of results) yielded.push(result);
    expect(yielded).toEqual([4, 1, 3, 2]);
    expect(longest).toBe(Math.min(most, 4));
  });

  it('throws an error after the results of the items before it', async () => {
    const results = mapConcurrent([1, 2], 2, async (item) => {
      if (item === 2) throw new Error('The second item failed.');
      for (let turn = 0; turn < 5; turn++) await setImmediate();
      return item;
    });
    expect((await results.next()).value).toBe(1);
    await expect(results.next()).rejects.toThrow('The second item failed.');
  });
});
