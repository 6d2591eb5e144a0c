import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createZeroVariantFinder, stripZeros } from '../../../infra/ops/tables/zero-variants.ts';

const scope = { tenant: 't.example', supplierId: '10' };

/** Creates a finder with these stored ids, which counts its reads. */
function createFinder(stored: readonly string[]) {
  const reads = { ranges: 0, ids: 0 };
  const find = createZeroVariantFinder(
    async (_, ids) => {
      reads.ids += ids.length;
      return new Map(ids.filter((id) => stored.includes(id)).map((id) => [id, id]));
    },
    async function* () {
      reads.ranges += 1;
      yield stored.filter((storedId) => storedId.startsWith('0'));
    },
  );
  return { reads, find };
}

// Ids with few digits and many zeros, and ids that are too long for exact numbers.
const id = fc
  .tuple(fc.nat({ max: 14 }), fc.constantFrom('0', '1', '2', '10', '12345678901234567'))
  .map(([zeros, digits]) => digits.padStart(Math.min(20, digits.length + zeros), '0'));

it('the finder returns a stored id that differs only in leading zeros, for any number of zeros', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(id), fc.uniqueArray(id), async (stored, wanted) => {
      const newIds = wanted.filter((newId) => !stored.includes(newId));
      const found = await createFinder(stored).find(scope, newIds);
      for (const newId of newIds) {
        const variants = stored.filter((other) => stripZeros(other) === stripZeros(newId));
        expect(variants.length > 0 ? variants : [undefined]).toContain(found.get(newId));
      }
      expect(found.size).toBeLessThanOrEqual(newIds.length);
    }),
    { numRuns: 500 },
  );
});

it('the finder reads ids with leading zeros once per supplier, and else only the shortest variants of new ids', async () => {
  const { reads, find } = createFinder(['1', '2']);
  for (const ids of [['1000', '1001'], ['1002'], []]) await find(scope, ids);
  expect(reads).toEqual({ ranges: 1, ids: 0 });
  await find({ ...scope, supplierId: '11' }, ['01000', '001001']);
  expect(reads).toEqual({ ranges: 2, ids: 2 });
});
