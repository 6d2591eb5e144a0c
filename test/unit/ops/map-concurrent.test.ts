import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { mapConcurrent } from '../../../infra/ops/review/reviewed-invoices.ts';

describe('concurrent calls', () => {
  it.each([1, 2, 5])('mapConcurrent keeps the order of the items, with %i parallel calls', async (limit) => {
    let [running, maxRunning] = [0, 0];
    const results = mapConcurrent([4, 1, 3, 2], limit, async (turns) => {
      maxRunning = Math.max(maxRunning, (running += 1));
      for (let turn = 0; turn < turns; turn++) await setImmediate();
      running -= 1;
      return turns;
    });
    const yielded: number[] = [];
    for await (const result of results) yielded.push(result);
    expect(yielded).toEqual([4, 1, 3, 2]);
    expect(maxRunning).toBe(Math.min(limit, 4));
  });

  it('mapConcurrent throws the error of an item after the results of the items before it', async () => {
    const results = mapConcurrent([1, 2], 2, async (item) => {
      if (item === 2) throw new Error('The second item failed.');
      for (let turn = 0; turn < 5; turn++) await setImmediate();
      return item;
    });
    expect((await results.next()).value).toBe(1);
    await expect(results.next()).rejects.toThrow('The second item failed.');
  });
});
