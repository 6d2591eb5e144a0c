import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareTables, type CopyOptions, copyTable } from '../../lib/admin/tables/copy-table.ts';
import { canonical } from '../../lib/admin/tables/table-sum.ts';
import type { RawItem, RawTable } from '../../lib/storage/tables/raw-table.ts';

const PAGE = 3;

/**
 * A table in memory, each call of which takes effect when the scheduler says so; a call on a cut line never answers.
 */
function memoryTable(calls: fc.Scheduler, isCut: () => boolean, held: readonly RawItem[] = []) {
  const items = new Map(held.map((item) => [item['pk']?.S ?? '', item]));
  const line = async <Result>(what: string, act: () => Result): Promise<Result> => {
    const result = await calls.schedule(Promise.resolve(), what).then(act);
    if (isCut()) throw new Error('The process has ended.');
    return result;
  };
  const table: RawTable = {
    name: 'memory',
    keyNames: async () => ['pk'],
    async *scan(segment, segments) {
      const mine = [...items.values()].filter((_, index) => index % segments === segment);
      for (let start = 0; start < mine.length; start += PAGE) {
        yield await line('a page is read', () => mine.slice(start, start + PAGE));
      }
    },
    putNew: (item) =>
      line('an item is put', () => {
        const key = item['pk']?.S ?? '';
        const present = items.get(key);
        if (present === undefined) items.set(key, item);
        return present;
      }),
  };
  return { items, table };
}

const source = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 12 });

it('copies that are stopped at any step, overlap and are repeated lose, double and replace nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), source, fc.nat(30), fc.nat(30), async (calls, keys, ...stops) => {
      const old = keys.map((key, index): RawItem => ({ pk: { S: key }, value: { N: String(index) } }));
      const options: CopyOptions = {
        transform: ({ pk, ...item }) => ({ pk: { S: `new ${pk?.S}` }, ...item }),
        segments: 2,
        nowSeconds: 0,
        signal: new AbortController().signal,
        onProgress: () => undefined,
      };
      const wanted = old.map((item) => options.transform(item) as RawItem);
      const live = { left: 0 };
      const { items, table: to } = memoryTable(calls, () => live.left-- <= 0);
      // Two copies at once; after so many steps each gets no answer any more, but what it has sent still arrives.
      for (const stop of [...stops, 1_000]) {
        live.left = stop;
        const runs = [1, 2].map(() => copyTable(memoryTable(calls, () => false, old).table, to, options));
        const ends = Promise.allSettled(runs);
        await calls.waitFor(ends);
        for (const [key, item] of items) {
          expect(wanted.map(canonical), key).toContain(canonical(item));
        }
      }
      expect([...items.values()].map(canonical).toSorted()).toEqual(wanted.map(canonical).toSorted());
      live.left = 1_000;
      const compared = compareTables(memoryTable(calls, () => false, old).table, to, options);
      expect(await calls.waitFor(compared)).toMatchObject({ equal: true });
    }),
    { numRuns: 60 },
  );
});
