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

const scope = { tenant: 't.example', supplierId: '1' };
const DAYS = ['2026-02-28', '2026-03-01'] as const;
const PER_DAY = 110;

const INVOICES: readonly Invoice[] = DAYS.flatMap((day, days) =>
  Array.from({ length: PER_DAY }, (_, at) =>
    buildInvoice({
      invoiceId: `${100 * (days + 1) + at}`,
      sortDate: `${day}T10:00:00.000Z`,
      accountName: at % 30 === 3 ? 'Señal' : 'Grúas',
      state: 'PEN',
    }),
  ),
);

/** What can become of an invoice: another state, another day, another text, or what nobody goes by. */
const change = fc.record({
  position: fc.oneof(
    // The rows that the searches find.
    { weight: 4, arbitrary: fc.constantFrom(3, 33, PER_DAY + 3, PER_DAY + 33) },
    { weight: 1, arbitrary: fc.nat({ max: INVOICES.length - 1 }) },
  ),
  becomes: fc.constantFrom<Partial<Invoice>>(
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
const asked = (some: Partial<ListQuery>): ListQuery => ({
  range: parseDateRange(DAYS[0], DAYS[1]),
  ...{ state: null, search: '', limit: 5, offset: 0 },
  ...some,
});

async function answerOf(lists: InvoiceLists, some: Partial<ListQuery>) {
  const { rows, total } = await readInvoicePage(lists, scope, asked(some));
  return { ids: rows.map(({ invoiceId }) => invoiceId), total };
}

describe('a search among writes in any order', () => {
  it('is exact at one moment between its beginning and its end when writes are seen whole [list-invoices/rule-4]', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        query,
        fc.array(change, { minLength: 1, maxLength: 2 }),
        fc.boolean(),
        async (scheduler, some, changes, isWarm) => {
          let isMeasured = false;
          const turn: Turn = async (call) => void (isMeasured && (await scheduler.schedule(Promise.resolve(), call)));
          const { port, buildSteps } = createMemoryRows(INVOICES, turn);
          const lists = { rows: port, indexes: createMemoryIndexes(turn), memory: createLruCache<DayIndex>(1_000_000) };
          if (isWarm) await answerOf(lists, some);
          isMeasured = true;

          let current = INVOICES;
          const moments = [current];
          const writer = async () => {
            for (const { position, becomes } of changes) {
              await scheduler.schedule(Promise.resolve(), 'a write');
              const before = current[position] as Invoice;
              const after = { ...before, ...becomes };
              for (const step of buildSteps(before, after)) step();
              current = current.with(position, after);
              moments.push(current);
            }
          };
          const [answer] = await scheduler.waitFor(Promise.all([answerOf(lists, some), writer()]));
          expect(moments.map((invoices) => buildReferenceList(invoices, asked(some)))).toContainEqual(answer);
        },
      ),
      { numRuns: 200 },
    );
  }, 120_000);

  it('leaves no index behind that a later search could believe wrongly, when writes are seen step by step [list-invoices/rule-4]', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        query,
        // A second change of an invoice would wait for the first.
        fc.uniqueArray(change, { minLength: 1, maxLength: 3, selector: ({ position }) => position }),
        async (scheduler, some, changes) => {
          let isMeasured = true;
          const turn: Turn = async (call) => void (isMeasured && (await scheduler.schedule(Promise.resolve(), call)));
          const { port, buildSteps } = createMemoryRows(INVOICES, turn);
          const stored = { rows: port, indexes: createMemoryIndexes(turn) };
          const lists = { ...stored, memory: createLruCache<DayIndex>(1_000_000) };
          let current = INVOICES;
          const writers = changes.flatMap(({ position, becomes }) => {
            const before = current[position] as Invoice;
            const after = { ...before, ...becomes };
            current = current.with(position, after);
            return buildSteps(before, after).map((step) =>
              scheduler.schedule(Promise.resolve(), 'a step of a write').then(step),
            );
          });
          await scheduler.waitFor(Promise.all([answerOf(lists, some), ...writers]));
          isMeasured = false;
          const expected = buildReferenceList(current, asked(some));
          expect(await answerOf(lists, some)).toEqual(expected);
          expect(await answerOf({ ...stored, memory: createLruCache(1_000_000) }, some)).toEqual(expected);
        },
      ),
      { numRuns: 100 },
    );
  }, 120_000);
});
