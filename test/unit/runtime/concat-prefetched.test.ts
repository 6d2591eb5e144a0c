import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { concatPrefetched } from '../../../infra/ops/review/reviewed-invoices.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';

/** Sources of these pages, and how many were begun so far; a page that is an error is thrown. */
function sourcesOf(...sources: (readonly (readonly number[] | Error)[])[]) {
  const begun = { sources: 0 };
  async function* read(pages: readonly (readonly number[] | Error)[]) {
    begun.sources += 1;
    for (const page of pages) {
      await setImmediate();
      if (page instanceof Error) throw page;
      yield page;
    }
  }
  return { begun, readers: sources.map(read) };
}

describe('sources in order', () => {
  it.each([1, 2, 5])('give their items one source after the other, with %i begun at a time', async (most) => {
    const { begun, readers } = sourcesOf([[1], [2, 3]], [], [[4]], [[5], [6]]);
    const pages = concatPrefetched(readers, most);
    expect(await pages.next()).toEqual({ done: false, value: [1] });
    expect(begun.sources).toBe(Math.min(most, 4));
    expect(await collectPages(pages)).toEqual([2, 3, 4, 5, 6]);
  });

  it('fail where the item would stand, and not while another waits to be read', async () => {
    const { readers } = sourcesOf([[1], [2]], [new Error('The second source failed.')]);
    const pages = concatPrefetched(readers, 2);
    expect((await pages.next()).value).toEqual([1]);
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    expect((await pages.next()).value).toEqual([2]);
    await expect(pages.next()).rejects.toThrow('The second source failed.');
  });
});
