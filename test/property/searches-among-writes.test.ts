import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDateRange } from '../../lib/domain/date-range.ts';
import type { Invoice } from '../../lib/domain/invoice.ts';
import { createLruCache } from '../../lib/runtime/lru-cache.ts';
import type { DayIndex, InvoiceLists } from '../../lib/invoices/invoice-lists.ts';
import { type ListQuery, readInvoicePage } from '../../lib/invoices/invoice-pages.ts';
import { buildReferenceList } from '../support/data/reference-list.ts';
import { buildInvoice } from '../support/data/seed-invoices.ts';
import { createMemoryIndexes, createMemoryRows, type Turn } from '../support/fakes/memory-rows.ts';
import { proves } from '../rules/proves.ts';

const scope = { tenant: 't.example', supplierId: '1' };
const DAYS = ['2026-02-28', '2026-03-01'] as const;
const PER_DAY = 110;

const INVOICES: readonly Invoice[] = DAYS.flatMap((day, dayIndex) =>
  Array.from({ length: PER_DAY }, (_, index) =>
    buildInvoice({
      invoiceId: `${100 * (dayIndex + 1) + index}`,
      sortDate: `${day}T10:00:00.000Z`,
      accountName: index % 30 === 3 ? 'Señal' : 'Grúas',
      state: 'PEN',
    }),
  ),
);

/** Generates changes of an invoice: its state, its day, a searched text, or a field that no search uses. */
const change = fc.record({
  position: fc.oneof(
    // The positions of the rows that the searches find.
    { weight: 4, arbitrary: fc.constantFrom(3, 33, PER_DAY + 3, PER_DAY + 33) },
    { weight: 1, arbitrary: fc.nat({ max: INVOICES.length - 1 }) },
  ),
  newFields: fc.constantFrom<Partial<Invoice>>(
    { state: 'REV' },
    { sortDate: `${DAYS[0]}T09:00:00.000Z` },
    { sortDate: `${DAYS[1]}T11:00:00.000Z` },
    { accountName: 'Otra señal' },
    { accountName: null },
    { city: 'Salta' },
  ),
});
const query = fc.constantFrom<Partial<ListQuery>>(
  { search: 'senal' },
  { search: 'senal', state: 'REV' },
  { search: 'gruas', offset: 60, limit: 10 },
);
const buildQuery = (filter: Partial<ListQuery>): ListQuery => ({
  range: parseDateRange(DAYS[0], DAYS[1]),
  ...{ state: null, search: '', limit: 5, offset: 0 },
  ...filter,
});

async function runSearch(lists: InvoiceLists, filter: Partial<ListQuery>) {
  const { rows, total } = await readInvoicePage(lists, scope, buildQuery(filter));
  return { ids: rows.map(({ invoiceId }) => invoiceId), total };
}

describe('searches during writes, in any order', () => {
  it('a search returns the exact list of one moment during the search if writes are atomic', async () => {
    proves('list-invoices/rule-4');
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        query,
        fc.array(change, { minLength: 1, maxLength: 2 }),
        fc.boolean(),
        async (scheduler, filter, changes, isWarm) => {
          let isMeasured = false;
          const turn: Turn = async (call) => void (isMeasured && (await scheduler.schedule(Promise.resolve(), call)));
          const { port, buildSteps } = createMemoryRows(INVOICES, turn);
          const lists = {
            rows: port,
            indexes: createMemoryIndexes(turn),
            memory: createLruCache<DayIndex>(1_000_000),
          };
          if (isWarm) await runSearch(lists, filter);
          isMeasured = true;

          let current = INVOICES;
          const moments = [current];
          const writeChanges = async () => {
            for (const { position, newFields } of changes) {
              await scheduler.schedule(Promise.resolve(), 'a write');
              const before = current[position] as Invoice;
              const after = { ...before, ...newFields };
              for (const step of buildSteps(before, after)) step();
              current = current.with(position, after);
              moments.push(current);
            }
          };
          const [result] = await scheduler.waitFor(Promise.all([runSearch(lists, filter), writeChanges()]));
          expect(moments.map((invoices) => buildReferenceList(invoices, buildQuery(filter)))).toContainEqual(result);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('a search stores no wrong index for later searches if writes are visible in steps', async () => {
    proves('list-invoices/rule-4');
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        query,
        // A second change of the same invoice would wait for the first one.
        fc.uniqueArray(change, { minLength: 1, maxLength: 3, selector: ({ position }) => position }),
        async (scheduler, filter, changes) => {
          let isMeasured = true;
          const turn: Turn = async (call) => void (isMeasured && (await scheduler.schedule(Promise.resolve(), call)));
          const { port, buildSteps } = createMemoryRows(INVOICES, turn);
          const stored = { rows: port, indexes: createMemoryIndexes(turn) };
          const lists = { ...stored, memory: createLruCache<DayIndex>(1_000_000) };
          let current = INVOICES;
          const writers = changes.flatMap(({ position, newFields }) => {
            const before = current[position] as Invoice;
            const after = { ...before, ...newFields };
            current = current.with(position, after);
            return buildSteps(before, after).map((step) =>
              scheduler.schedule(Promise.resolve(), 'a step of a write').then(step),
            );
          });
          await scheduler.waitFor(Promise.all([runSearch(lists, filter), ...writers]));
          isMeasured = false;
          const expected = buildReferenceList(current, buildQuery(filter));
          expect(await runSearch(lists, filter)).toEqual(expected);
          expect(await runSearch({ ...stored, memory: createLruCache(1_000_000) }, filter)).toEqual(expected);
        },
      ),
      { numRuns: 100 },
    );
  });
});
