import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createZeroVariantFinder, stripZeros } from '../../../infra/ops/import/zero-variants.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';

const scope = { tenant: 't.example', supplierId: '10' };

/** Creates ports with these stored ids. They count the reads. */
function createPorts(stored: readonly string[]) {
  const reads = { ranges: 0, ids: 0 };
  return {
    reads,
    invoices: {
      getMany: async (_: unknown, ids: readonly string[]) => {
        reads.ids += ids.length;
        const found = ids.filter((id) => stored.includes(id));
        return new Map(found.map((invoiceId) => [invoiceId, buildInvoice({ invoiceId })]));
      },
      async *readIdsWithLeadingZeros() {
        reads.ranges += 1;
        yield stored.filter((storedId) => storedId.startsWith('0'));
      },
    },
  };
}

// Ids with few digits and many zeros, and ids that are too long for exact numbers.
const id = fc
  .tuple(fc.nat({ max: 14 }), fc.constantFrom('0', '1', '2', '10', '12345678901234567'))
  .map(([zeros, digits]) => digits.padStart(Math.min(20, digits.length + zeros), '0'));

it.each([
  ['0080101', '80101'],
  ['8000', '8000'],
  ['000', '0'],
])('stripZeros keeps at least one digit: %s becomes %s', (zeros, stripped) => {
  expect(stripZeros(zeros)).toBe(stripped);
});

it('the finder returns a stored id that differs only in leading zeros, for any number of zeros', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(id), fc.uniqueArray(id), async (stored, wanted) => {
      const newIds = wanted.filter((newId) => !stored.includes(newId));
      const found = await createZeroVariantFinder(createPorts(stored))(scope, newIds);
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
  const ports = createPorts(['1', '2']);
  const find = createZeroVariantFinder(ports);
  for (const ids of [['1000', '1001'], ['1002'], []]) await find(scope, ids);
  expect(ports.reads).toEqual({ ranges: 1, ids: 0 });
  await find({ ...scope, supplierId: '11' }, ['01000', '001001']);
  expect(ports.reads).toEqual({ ranges: 2, ids: 2 });
});
