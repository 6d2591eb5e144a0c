import fc from 'fast-check';
import { expect, it } from 'vitest';
import { collectPages } from '../../lib/runtime/pages.ts';
import { buildHistoryItem, type HistoryItem } from '../../lib/tables/history-items.ts';
import { createHistoryTable } from '../../lib/tables/history-table.ts';
import { buildChangeKey, CHANGE_INDEX } from '../../lib/tables/keys.ts';
import { buildInvoice } from '../support/data/seed-invoices.ts';
import { createChangeIndex } from '../support/fakes/change-index.ts';
import { buildRevision } from '../support/data/stream-records.ts';

const TENANT = 't.example';
const START_MS = Date.parse('2026-11-27T23:00:00.000Z');
// Two midnights are in this time. Many times are equal.
const HOURS = 30;
const time = fc.oneof(
  fc.nat({ max: HOURS }).map((hours) => START_MS + hours * 3_600_000),
  fc.nat({ max: HOURS * 3_600_000 }).map((ms) => START_MS + ms),
);
const change = fc.record({
  tenant: fc.constantFrom(TENANT, TENANT, 't.example.other'),
  supplierId: fc.constantFrom('7', '30'),
  // The invoices of a day are in 4 partitions.
  invoiceId: fc.nat({ max: 99 }).map(String),
  version: fc.integer({ min: 2, max: 11 }),
  changeMs: time,
});

/** Creates a client of an index with these items. Every fourth page is empty. */
function createIndexClient(items: readonly HistoryItem[], pageItems: number) {
  const sorted = items.toSorted((one, other) => (one.change_key < other.change_key ? -1 : 1));
  let queries = 0;
  return createChangeIndex((partition, input) => {
    expect(input).toMatchObject({ IndexName: CHANGE_INDEX, ConsistentRead: false });
    const itemsOfDay = sorted.filter(({ change_day: day }) => day === partition);
    return { items: itemsOfDay, pageItems: queries++ % 4 === 1 ? 0 : pageItems };
  });
}

it('readBetween yields the changes of a tenant once, in the order of time, with the start and without the end', async () => {
  const property = fc.asyncProperty(
    fc.uniqueArray(change, { maxLength: 40, selector: (value) => JSON.stringify(value) }),
    fc.integer({ min: 1, max: 5 }),
    fc.tuple(time, time),
    async (changes, pageItems, bounds) => {
      const [startMs, endMs] = [Math.min(...bounds), Math.max(...bounds)];
      const items = changes.map(({ tenant, supplierId, invoiceId, version, changeMs }) => {
        const before = buildInvoice({ invoiceId, version: version - 1 });
        const after = { ...before, version, changedAt: new Date(changeMs).toISOString() };
        const revision = buildRevision({ invoiceId });
        return buildHistoryItem({ tenant, supplierId }, { before, after, revision }, undefined) as HistoryItem;
      });
      const { readBetween } = createHistoryTable(createIndexClient(items, pageItems), 'Declarations');
      const read = await collectPages(readBetween(TENANT, startMs, endMs));
      const expected = changes
        .filter(({ tenant, changeMs }) => tenant === TENANT && changeMs >= startMs && changeMs < endMs)
        .map(({ supplierId, invoiceId, version, changeMs }) =>
          [new Date(changeMs).toISOString(), supplierId, invoiceId, version].join('#'),
        );
      expect(read.map(buildChangeKey)).toEqual(expected.toSorted());
    },
  );
  await fc.assert(property, { numRuns: 500 });
});
