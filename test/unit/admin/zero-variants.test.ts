import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createZeroVariantFinder } from '../../../lib/admin/invoices/zero-variants.ts';
import { stripZeros } from '../../../lib/domain/leading-zeros.ts';
import { anInvoice } from '../../support/data/seed-invoices.ts';

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
        return new Map(found.map((invoiceId) => [invoiceId, anInvoice({ invoiceId })]));
      },
      getOfEach: async () => [],
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

it('another id with the same digits is found for every number of zeros, for few new ids and for many', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(id),
      fc.uniqueArray(id),
      fc.boolean(),
      fc.constantFrom('', '0'),
      async (stored, wanted, areMany, start) => {
        const newIds = wanted.filter((one) => !stored.includes(one));
        const others = areMany ? Array.from({ length: 100 }, (_, index) => `${start}9${index}`) : [];
        const find = createZeroVariantFinder(portsOf(stored));
        const found = await find(scope, [...others, ...newIds]);
        for (const one of newIds) {
          const variants = stored.filter((other) => stripZeros(other) === stripZeros(one));
          expect(variants.length > 0 ? variants : [undefined]).toContain(found.get(one));
        }
        expect(found.size).toBeLessThanOrEqual(newIds.length);
      },
    ),
    { numRuns: 500 },
  );
});

it('of many new ids, only the range of ids with zeros and the shortest variants of new ids with zeros are read', async () => {
  const ports = portsOf(['1', '2']);
  const find = createZeroVariantFinder(ports);
  for (const start of [1000, 2000]) {
    const ids = Array.from({ length: 500 }, (_, index) => `${start + index}`);
    await find(scope, ids);
  }
  expect(ports.reads).toEqual({ ranges: 1, ids: 0 });
  const withZeros = Array.from({ length: 30 }, (_, index) => `0${1000 + index}`);
  await find({ ...scope, supplierId: '11' }, withZeros);
  expect(ports.reads).toEqual({ ranges: 2, ids: 30 });
});

it('of a few new ids all variants are read instead of the range', async () => {
  const ports = portsOf([]);
  await createZeroVariantFinder(ports)(scope, ['1', '20']);
  expect(ports.reads).toEqual({ ranges: 0, ids: 19 + 18 });
});
