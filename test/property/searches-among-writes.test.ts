import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseDateRange } from '../../lib/domain/date-range.ts';
import type { Invoice } from '../../lib/domain/invoice.ts';
import { type ListQuery, readInvoicePage } from '../../lib/invoices/invoice-pages.ts';
import { buildReferenceList } from '../support/data/reference-list.ts';
import { buildInvoice } from '../support/data/seed-invoices.ts';
import { createMemoryLists } from '../support/fakes/memory-lists.ts';
import { proves } from '../rules/proves.ts';

const scope = { tenant: 't.example', supplierId: '1' };

const CHANGED_AT = '2026-03-20T12:00:00.000Z';

const INVOICES: readonly Invoice[] = Array.from({ length: 24 }, (_, index) =>
  buildInvoice({
    invoiceId: `${100 + index}`,
    sortDate: index < 12 ? '2026-02-28T10:00:00.000Z' : '2026-03-01T10:00:00.000Z',
    accountName: index % 3 === 0 ? 'Señal' : 'Grúas',
    state: 'PEN',
    isWithdrawn: index % 8 === 5,
    changedAt: index % 2 === 0 ? CHANGED_AT : '2026-03-20T11:59:59.999Z',
  }),
);

interface Change {
  readonly position: number;
  readonly newFields: Partial<Invoice>;
}

/** Generates changes of an invoice: its state, its day, a searched text, its withdrawal, or a field that no list uses. */
const change: fc.Arbitrary<Change> = fc.record({
  // The invoices 5, 13 and 21 are withdrawn.
  position: fc.oneof(fc.constantFrom(5, 13, 21), fc.nat({ max: INVOICES.length - 1 })),
  newFields: fc.constantFrom<Partial<Invoice>>(
    { state: 'REV' },
    { sortDate: '2026-02-28T09:00:00.000Z' },
    { sortDate: '2026-03-01T11:00:00.000Z' },
    { sortDate: '2026-03-02T00:00:00.000Z' },
    { accountName: 'Otra señal' },
    { accountName: null },
    { isWithdrawn: true },
    { isWithdrawn: false },
    { city: 'Salta' },
  ),
});
const changes = fc.array(change, { minLength: 1, maxLength: 2 });
// The list has 21 invoices.
const page = fc.constantFrom(
  ...[
    { limit: 5, offset: 0 },
    { limit: 3, offset: 3 },
    { limit: 11, offset: 11 },
    { limit: 100, offset: 0 },
  ],
);
const range = parseDateRange('2026-02-28', '2026-03-01');

/** Reads a page while invoices change, in the order of the scheduler. Returns also the exact page of each moment. */
async function readAmongWrites(scheduler: fc.Scheduler, query: ListQuery, writes: readonly Change[]) {
  let invoices = INVOICES;
  const moments = [buildReferenceList(invoices, query)];
  const lists = createMemoryLists(
    () => invoices,
    (read) => scheduler.schedule(Promise.resolve(), read),
  );
  const writeAll = writes.map(async ({ position, newFields }) => {
    await scheduler.schedule(Promise.resolve(), 'a write');
    invoices = invoices.with(position, {
      ...(invoices[position] as Invoice),
      ...newFields,
      changedAt: '2026-03-21T00:00:00.000Z',
    });
    moments.push(buildReferenceList(invoices, query));
  });
  const [{ rows, total }] = await scheduler.waitFor(Promise.all([readInvoicePage(lists, scope, query), ...writeAll]));
  return { result: { ids: rows.map(({ invoiceId }) => invoiceId), total }, moments };
}

it('a search or a filtered list returns the exact page of one moment during the request, in any order of reads and writes', async () => {
  proves('list-invoices/rule-4');
  const filter = fc.constantFrom<Pick<ListQuery, 'search' | 'state' | 'changedSince'>>(
    { search: 'senal', state: null, changedSince: null },
    { search: 'senal', state: 'REV', changedSince: null },
    { search: '', state: 'PEN', changedSince: null },
    { search: '', state: null, changedSince: CHANGED_AT },
    { search: 'senal', state: 'PEN', changedSince: CHANGED_AT },
  );
  const property = fc.asyncProperty(
    fc.scheduler(),
    filter,
    page,
    changes,
    async (scheduler, ...[which, size, writes]) => {
      const { result, moments } = await readAmongWrites(scheduler, { range, ...which, ...size }, writes);
      expect(moments).toContainEqual(result);
    },
  );
  await fc.assert(property, { numRuns: 1_000 });
});

it('a first page has the exact rows of one moment during the request, and a total that does not contradict them', async () => {
  proves('list-invoices/rule-4');
  const property = fc.asyncProperty(fc.scheduler(), page, changes, async (scheduler, size, writes) => {
    const query = { range, search: '', state: null, changedSince: null, ...size };
    const { result, moments } = await readAmongWrites(scheduler, query, writes);
    expect(moments.map(({ ids }) => ids)).toContainEqual(result.ids);
    expect(moments.map(({ total }) => total)).toContain(result.total);
    expect(result.ids.length).toBe(Math.min(size.limit, Math.max(0, result.total - size.offset)));
  });
  await fc.assert(property, { numRuns: 1_000 });
});
