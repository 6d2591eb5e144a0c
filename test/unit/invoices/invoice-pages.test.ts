import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDay, getWholeDay, parseDateRange } from '../../../lib/domain/date-range.ts';
import { NO_FINGERPRINT } from '../../../lib/runtime/fingerprints.ts';
import { createLruCache } from '../../../lib/runtime/lru-cache.ts';
import type { DayIndex, DayIndexStore, InvoiceRows } from '../../../lib/invoices/invoice-lists.ts';
import { type ListQuery, readInvoicePage } from '../../../lib/invoices/invoice-pages.ts';
import { buildReferenceList } from '../../support/data/reference-list.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';
import { createMemoryIndexes, createMemoryRows } from '../../support/fakes/memory-rows.ts';
import { proves } from '../../rules/proves.ts';

const scope = { tenant: 't.example', supplierId: '1' };
// A day with at least 50 rows has an index.
const ROWS_PER_DAY = {
  ...{ '2026-01-30': 3, '2026-01-31': 50, '2026-02-01': 5, '2026-02-02': 4 },
  ...{ '2026-02-28': 110, '2026-03-01': 49 },
};
const INVOICES = Object.entries(ROWS_PER_DAY).flatMap(([day, rows]) =>
  Array.from({ length: rows }, (_, at) =>
    buildInvoice({
      invoiceId: `${Number(day.replaceAll('-', '')) * 100 + at}`,
      sortDate: new Date(Date.parse(day) + at * 600_000).toISOString(),
      accountName: at % 7 === 3 ? 'Señal' : 'Grúas',
      state: at % 3 === 1 ? 'REV' : 'PEN',
    }),
  ),
);

/** Creates processes that share one index store. `calls` lists the calls to the rows and to the store. */
function createProcesses(
  store: Partial<DayIndexStore> = {},
  rowsPort: (port: InvoiceRows) => Partial<InvoiceRows> = () => ({}),
) {
  const calls: string[] = [];
  const recordCall = async (call: string) => void calls.push(call);
  const memory = createMemoryRows(INVOICES, recordCall);
  const port = { ...memory.port, ...rowsPort(memory.port) };
  const sharedIndexes = { ...createMemoryIndexes(recordCall), ...store };
  function startProcess() {
    const lists = { rows: port, indexes: sharedIndexes, memory: createLruCache<DayIndex>(1_000_000) };
    return async (query: ListQuery) => {
      calls.length = 0;
      const { rows, total } = await readInvoicePage(lists, scope, query);
      return { ids: rows.map(({ invoiceId }) => invoiceId), total };
    };
  }
  return { calls, startProcess };
}

const buildQuery = (changes: Partial<ListQuery> = {}): ListQuery => ({
  range: parseDateRange('2026-01-20', '2026-03-10'),
  ...{ state: null, search: '', limit: 10, offset: 0 },
  ...changes,
});

describe('readInvoicePage', () => {
  it.each(['\u0301', '\0', ' \u0301\0 '])(
    'returns an empty page for the search %j, and reads nothing',
    async (search) => {
      const { calls, startProcess } = createProcesses();
      expect(await startProcess()(buildQuery({ search }))).toEqual({ ids: [], total: 0 });
      expect(calls).toEqual([]);
    },
  );

  it('returns the same rows and total as a read of all invoices with filter and sort', async () => {
    proves('list-invoices/rule-4');
    const instant = fc.constantFrom(
      ...['2026-01-30T00:00Z', '2026-01-30T00:10Z', '2026-01-31T10:00Z', '2026-02-01T00:00Z', '2026-02-01T00:00:01Z'],
      ...['2026-02-02T00:05Z', '2026-02-27T23:59:59.999Z', '2026-02-28T12:00Z'],
      ...['2026-03-01T03:20:00.001Z', '2026-03-02T00:00Z'],
    );
    const query = fc.record({
      range: fc.tuple(instant, instant).map((pair) => {
        const [start = '', end = ''] = pair.toSorted((a, b) => Date.parse(a) - Date.parse(b));
        return parseDateRange(start, end);
      }),
      state: fc.constantFrom(null, 'PEN', 'REV', 'LIQ'),
      search: fc.constantFrom('', '  ', 'senal', ' Señal ', 'GRÚAS', '3101', 'nothing'),
      limit: fc.integer({ min: 1, max: 30 }),
      offset: fc.oneof(fc.constant(0), fc.nat({ max: 40 }), fc.nat({ max: 220 })),
    });
    const { startProcess } = createProcesses();
    let readPage = startProcess();
    await fc.assert(
      fc.asyncProperty(query, fc.boolean(), async (filter, isNew) => {
        if (isNew) readPage = startProcess();
        expect(await readPage(filter)).toEqual(buildReferenceList(INVOICES, filter));
      }),
      { numRuns: 500 },
    );
  });

  it('searches without the indexes of other processes if these cannot be read or written', async () => {
    const filter = { search: 'senal' };
    const fails = () => Promise.reject(new Error('no table'));
    const readPage = createProcesses({ read: fails, write: fails }).startProcess();
    for (let time = 0; time < 2; time++)
      expect(await readPage(buildQuery(filter))).toEqual(buildReferenceList(INVOICES, buildQuery(filter)));
  });

  it('returns a page of a search after 4 attempts if the days change each time', async () => {
    const filter = { search: 'senal' };
    const { calls, startProcess } = createProcesses({}, () => ({ readEntries: async () => [] }));
    await startProcess()(buildQuery(filter));
    expect(calls.filter((call) => call === 'the counters')).toHaveLength(4);
  });

  it.each([
    ['has another text', { text: 'grua' }],
    ['has another state', { row: buildInvoice({ state: 'REC' }) }],
    ['is gone', null],
  ])('searches again if a row %s since it was indexed', async (_, change) => {
    proves('list-invoices/rule-4');
    let isChanged = false;
    const { calls, startProcess } = createProcesses({}, (port) => ({
      async readAt(...keys) {
        const found = await port.readAt(...keys);
        if (isChanged) return found;
        isChanged = true;
        const [position = ''] = found.keys();
        if (change === null) found.delete(position);
        else found.set(position, { ...found.get(position)!, ...change });
        return found;
      },
    }));
    const filter = buildQuery({ search: 'senal', state: 'PEN' });
    expect(await startProcess()(filter)).toEqual(buildReferenceList(INVOICES, filter));
    expect(calls.filter((call) => call === 'the counters')).toHaveLength(2);
  });

  it('searches the days without an index in groups of one month with at most 1,000 rows', async () => {
    const buildDay = (startMs: number, count: number) => {
      const day = formatDay(startMs);
      return { day, range: getWholeDay(startMs), count, countInAll: count, fingerprint: NO_FINGERPRINT };
    };
    const january = Array.from({ length: 27 }, (_, index) => buildDay(Date.UTC(2026, 0, 5 + index), 40));
    const days = [...january, ...[40, 50, 0].map((count, index) => buildDay(Date.UTC(2026, 1, 1 + index), count))];
    const searchedDays: string[] = [];
    const { startProcess } = createProcesses({}, () => ({
      readDayCounts: async () => days,
      readEntries: async () => [],
      async search({ range }) {
        searchedDays.push(`${formatDay(range.startMs)} to ${formatDay(range.endMs)}`);
        return [];
      },
    }));
    await startProcess()(buildQuery({ range: parseDateRange('2026-01-01', '2026-02-20'), search: 'senal' }));
    // 2 February has 50 rows and is read from its index.
    expect(searchedDays).toEqual(['2026-02-01 to 2026-02-01', '2026-01-07 to 2026-01-31', '2026-01-05 to 2026-01-06']);
  });
});
