import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDateRange } from '../../../lib/domain/date-range.ts';
import type { InvoiceRow } from '../../../lib/domain/invoice.ts';
import { createLruCache } from '../../../lib/runtime/lru-cache.ts';
import type { DayIndex, DayIndexStore, InvoiceRows } from '../../../lib/invoices/invoice-lists.ts';
import { type ListQuery, readInvoicePage } from '../../../lib/invoices/invoice-pages.ts';
import { referenceList } from '../../support/data/reference-list.ts';
import { anInvoice } from '../../support/data/seed-invoices.ts';
import { memoryIndexes, memoryRows } from '../../support/fakes/memory-rows.ts';

const scope = { tenant: 't.example', supplierId: '1' };
// A day of 50 rows or more gets an index.
const ROWS_OF = {
  ...{ '2026-01-30': 3, '2026-01-31': 50, '2026-02-01': 5, '2026-02-02': 4 },
  ...{ '2026-02-28': 110, '2026-03-01': 49 },
};
const INVOICES = Object.entries(ROWS_OF).flatMap(([day, rows]) =>
  Array.from({ length: rows }, (_, at) =>
    anInvoice({
      invoiceId: `${Number(day.replaceAll('-', '')) * 100 + at}`,
      sortDate: new Date(Date.parse(day) + at * 600_000).toISOString(),
      accountName: at % 7 === 3 ? 'Señal' : 'Grúas',
      state: at % 3 === 1 ? 'REV' : 'PEN',
    }),
  ),
);

/** The lists of processes that share what they leave in a store; `calls` are those to the rows and to the store. */
function processes(
  store: Partial<DayIndexStore> = {},
  rowsPort: (port: InvoiceRows) => Partial<InvoiceRows> = () => ({}),
) {
  const calls: string[] = [];
  const noted = async (call: string) => void calls.push(call);
  const memory = memoryRows(INVOICES, noted);
  const port = { ...memory.port, ...rowsPort(memory.port) };
  const shared = { ...memoryIndexes(noted), ...store };
  function newProcess() {
    const lists = { rows: port, indexes: shared, memory: createLruCache<DayIndex>(1_000_000) };
    return async (query: ListQuery) => {
      calls.length = 0;
      const { rows, total } = await readInvoicePage(lists, scope, query);
      return { ids: rows.map(({ invoiceId }) => invoiceId), total };
    };
  }
  return { calls, newProcess };
}

const asked = (some: Partial<ListQuery> = {}): ListQuery => ({
  range: parseDateRange('2026-01-20', '2026-03-10'),
  ...{ state: null, search: '', limit: 10, offset: 0 },
  ...some,
});

describe('a page of a list', () => {
  it.each(['\u0301', '\0', ' \u0301\0 '])('is empty for a search for %j, and reads nothing', async (search) => {
    const { calls, newProcess } = processes();
    expect(await newProcess()(asked({ search }))).toEqual({ ids: [], total: 0 });
    expect(calls).toEqual([]);
  });

  it('has the rows and the total of reading everything, filtering and sorting [list-invoices/rule-4]', async () => {
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
    const { newProcess } = processes();
    let ask = newProcess();
    await fc.assert(
      fc.asyncProperty(query, fc.boolean(), async (some, isNew) => {
        if (isNew) ask = newProcess();
        expect(await ask(some)).toEqual(referenceList(INVOICES, some));
      }),
      { numRuns: 500 },
    );
  });

  it('searches without the indexes of other processes if these cannot be read or written', async () => {
    const some = { search: 'senal' };
    const fails = () => Promise.reject(new Error('no table'));
    const ask = processes({ read: fails, write: fails }).newProcess();
    for (let time = 0; time < 2; time++) expect(await ask(asked(some))).toEqual(referenceList(INVOICES, asked(some)));
  });

  it('of a search is returned after 4 attempts if the days change each time', async () => {
    const some = { search: 'senal' };
    const { calls, newProcess } = processes({}, () => ({ readEntries: async () => [] }));
    await newProcess()(asked(some));
    expect(calls.filter((call) => call === 'the counters')).toHaveLength(4);
  });

  it.each(['text', 'state'])(
    'of a search is searched again if a row has another %s than in the index',
    async (what) => {
      let isChanged = false;
      const { calls, newProcess } = processes({}, (port) => ({
        async readAt(...keys) {
          const found = await port.readAt(...keys);
          const [[position, { row, text }]] = [...found] as [[string, { row: InvoiceRow; text: string }]];
          const changed = what === 'text' ? { row, text: 'grua' } : { row: { ...row, state: 'REC' as const }, text };
          if (!isChanged) found.set(position, changed);
          isChanged = true;
          return found;
        },
      }));
      const some = asked({ search: 'senal', state: 'PEN' });
      expect(await newProcess()(some)).toEqual(referenceList(INVOICES, some));
      expect(calls.filter((call) => call === 'the counters')).toHaveLength(2);
    },
  );
});
