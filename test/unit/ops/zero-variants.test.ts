import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createZeroVariantFinder, stripZeros } from '../../../infra/ops/import/zero-variants.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';

const scope = { tenant: 't.example', supplierId: '10' };

/** The ports over these stored ids, which note how many ids were read. */
function portsOf(stored: readonly string[]) {
  const reads = { ranges: 0, ids: 0 };
  return {
    reads,
    invoices: {
      getMany: async (_: unknown, ids: readonly string[]) => {
        reads.ids += ids.length;
        const found = ids.filter((id) => stored.includes(id));
        return new Map(found.map((invoiceId) => [invoiceId, buildInvoice({ invoiceId })]));
      },
    },
    async *idsWithLeadingZeros() {
      reads.ranges += 1;
      yield stored.filter((one) => one.startsWith('0'));
    },
  };
}

// Few digits with many zeros, and ids that are too long for exact numbers.
const id = fc
  .tuple(fc.nat({ max: 14 }), fc.constantFrom('0', '1', '2', '10', '12345678901234567'))
  .map(([zeros, digits]) => digits.padStart(Math.min(20, digits.length + zeros), '0'));

it.each([
  ['0080101', '80101'],
  ['8000', '8000'],
  ['000', '0'],
])('an id without its leading zeros has at least one digit: %s, %s', (zeros, stripped) => {
  expect(stripZeros(zeros)).toBe(stripped);
});

it('finds another id with the same digits for every number of leading zeros', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(id), fc.uniqueArray(id), async (stored, wanted) => {
      const newIds = wanted.filter((one) => !stored.includes(one));
      const found = await createZeroVariantFinder(portsOf(stored))(scope, newIds);
      for (const one of newIds) {
        const variants = stored.filter((other) => stripZeros(other) === stripZeros(one));
        expect(variants.length > 0 ? variants : [undefined]).toContain(found.get(one));
      }
      expect(found.size).toBeLessThanOrEqual(newIds.length);
    }),
    { numRuns: 500 },
  );
});

it('reads the range of ids with zeros once per supplier, and otherwise only the shortest variants of new ids', async () => {
  const ports = portsOf(['1', '2']);
  const find = createZeroVariantFinder(ports);
  for (const ids of [['1000', '1001'], ['1002'], []]) await find(scope, ids);
  expect(ports.reads).toEqual({ ranges: 1, ids: 0 });
  await find({ ...scope, supplierId: '11' }, ['01000', '001001']);
  expect(ports.reads).toEqual({ ranges: 2, ids: 2 });
});
