import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDateRange } from '../../../lib/domain/date-range.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { searchInPreparation } from '../../../lib/domain/texts.ts';
import { pause } from '../../../lib/runtime/attempts.ts';
import { createLruCache } from '../../../lib/runtime/lru-cache.ts';
import { runWithinDeadline } from '../../../lib/runtime/request-scope.ts';
import type { DayIndex, DayIndexStore, FoundRow, InvoiceRows } from '../../../lib/invoices/invoice-lists.ts';
import { type ListQuery, readInvoicePage } from '../../../lib/invoices/invoice-pages.ts';
import { buildReferenceList } from '../../support/data/reference-list.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';
import { createMemoryIndexes, createMemoryRows } from '../../support/fakes/memory-rows.ts';
import { proves } from '../../rules/proves.ts';

const scope = { tenant: 't.example', supplierId: '1' };
// February has more rows than a query can read, and so has its last day.
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

/** Creates a supplier whose months have more rows than a query can read. `readDay` runs before a day is read. */
function createBusySupplier(days: number, readDay: () => Promise<void>) {
  const invoices = Array.from({ length: days * 4 }, (_, index) =>
    buildInvoice({
      invoiceId: `${1000 + index}`,
      sortDate: new Date(Date.parse('2026-01-01') + Math.floor(index / 4) * DAY_MS).toISOString(),
      accountName: index % 7 === 3 ? 'Señal' : 'Grúas',
    }),
  );
  const waitForTurn = async (call: string) => (call === 'the entries of a day' ? readDay() : pause(0));
  const sources = { rows: createMemoryRows(invoices, waitForTurn).port, indexes: createMemoryIndexes(waitForTurn) };
  const range = parseDateRange('2026-01-01', '2026-03-31');
  return {
    expectedTotal: buildReferenceList(invoices, buildQuery({ range, search: 'senal' })).total,
    /** Searches in a new process, and returns the total. */
    search: async () => {
      const lists = { ...sources, memory: createLruCache<DayIndex>(1_000_000) };
      return (await readInvoicePage(lists, scope, buildQuery({ range, search: 'senal' }))).total;
    },
  };
}

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

  it.each<[string, (found: FoundRow) => FoundRow[]]>([
    ['has another text', ({ row, entry }) => [{ row, entry: { ...entry, text: 'grua' } }]],
    ['has another state', ({ row, entry }) => [{ row, entry: { ...entry, state: 'REC' } }]],
    ['is gone', () => []],
  ])('searches again if a row %s since it was indexed', async (_, change) => {
    proves('list-invoices/rule-4');
    let isChanged = false;
    const { calls, startProcess } = createProcesses({}, (port) => ({
      async readAt(...keys) {
        const found = await port.readAt(...keys);
        if (isChanged) return found;
        isChanged = true;
        return [...found.slice(0, 1).flatMap(change), ...found.slice(1)];
      },
    }));
    const filter = buildQuery({ search: 'senal', state: 'PEN' });
    expect(await startProcess()(filter)).toEqual(buildReferenceList(INVOICES, filter));
    expect(calls.filter((call) => call === 'the counters')).toHaveLength(2);
  });

  it('searches a month of few rows with a query, and the other months with indexes', async () => {
    const { calls, startProcess } = createProcesses();
    await startProcess()(buildQuery({ search: 'senal' }));
    const count = (expected: string) => calls.filter((call) => call === expected).length;
    // March and January are queried. February has rows on three days.
    expect([count('a search'), count('the entries of a day'), count('the write of an index')]).toEqual([2, 3, 3]);
    // In the state REV, February has few rows.
    await startProcess()(buildQuery({ search: 'senal', state: 'REV' }));
    expect([count('a search'), count('stored indexes')]).toEqual([3, 0]);
  });

  it('reads an index only for a list that must skip or count more rows than a query can read', async () => {
    const { calls, startProcess } = createProcesses();
    const readPage = startProcess();
    await readPage(buildQuery({ offset: 90 }));
    expect(calls).toEqual(['the counters', 'rows']);
    await readPage(buildQuery({ offset: 110 }));
    expect(calls).toEqual(['the counters', 'stored indexes', 'the entries of a day', 'the write of an index', 'rows']);
    // The whole morning has 72 rows.
    await readPage(buildQuery({ range: parseDateRange('2026-02-28T00:00:01Z', '2026-02-28T12:00:01Z'), limit: 1 }));
    expect(calls).toEqual(['the counters', 'a count', 'rows']);
  });

  it('throws INTERNAL_ERROR at the deadline, and the next request reads only the days that remain', async () => {
    let remainingMs = 20_000;
    let readDays = 0;
    const { search, expectedTotal } = createBusySupplier(30, async () => {
      if (readDays === 8) remainingMs = 500;
      if (remainingMs < 1000) throw new DOMException('The operation was aborted.', 'AbortError');
      readDays++;
    });
    const sendRequest = () => runWithinDeadline(() => remainingMs, search);
    await expect(sendRequest()).rejects.toMatchObject({ code: 'INTERNAL_ERROR', text: searchInPreparation });
    expect(readDays).toBe(8);
    readDays = 100;
    remainingMs = 20_000;
    expect(await sendRequest()).toBe(expectedTotal);
    expect(readDays).toBe(100 + 30 - 8);
  });

  it('throws the error of a read that fails before the deadline', async () => {
    const error = new Error('no table');
    const { startProcess } = createProcesses({}, () => ({ readEntries: () => Promise.reject(error) }));
    const readPage = startProcess();
    const search = runWithinDeadline(
      () => 5_000,
      () => readPage(buildQuery({ search: 'senal' })),
    );
    await expect(search).rejects.toBe(error);
  });

  it('reads at most 1.5 times as many days in four processes that start at the same time as in one', async () => {
    const days = 90;
    let readDays = 0;
    const { search, expectedTotal } = createBusySupplier(days, async () => {
      readDays++;
      await pause(2 + Math.random() * 4);
    });
    const totals = await Promise.all([search(), search(), search(), search()]);
    expect(totals).toEqual(Array.from({ length: 4 }, () => expectedTotal));
    expect(readDays).toBeLessThanOrEqual(1.5 * days);
  });
});
