import { describe, expect, it } from 'vitest';
import { parseDateRange } from '../../../lib/domain/date-range.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { type InvoiceLists, type ListQuery, readInvoicePage } from '../../../lib/invoices/invoice-pages.ts';
import { buildReferenceList } from '../../support/data/reference-list.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';
import { createMemoryLists } from '../../support/fakes/memory-lists.ts';
import { proves } from '../../rules/proves.ts';

const scope = { tenant: 't.example', supplierId: '1' };
const INVOICES = Array.from({ length: 150 }, (_, index) =>
  buildInvoice({ invoiceId: `${100 + index}`, accountName: index % 7 === 3 ? 'Señal' : 'Grúas' }),
);

const buildQuery = (changes: Partial<ListQuery> = {}): ListQuery => ({
  range: parseDateRange('2026-03-01', '2026-03-31'),
  ...{ state: null, search: '', changedSince: null, limit: 10, offset: 0 },
  ...changes,
});

/** Reads a page. `beforeRead` runs before each read, and can change the invoices. Returns the names of the reads, too. */
async function readPage(
  query: ListQuery,
  beforeRead: (read: keyof InvoiceLists, invoices: Invoice[], count: number) => void = () => undefined,
) {
  const invoices = [...INVOICES];
  const reads: string[] = [];
  const lists = createMemoryLists(
    () => invoices,
    async (read) => {
      reads.push(read);
      beforeRead(read, invoices, reads.filter((name) => name === read).length);
    },
  );
  const { rows, total } = await readInvoicePage(lists, scope, query);
  const page = { ids: rows.map(({ invoiceId }) => invoiceId), total };
  return { page, reads, current: buildReferenceList(invoices, query) };
}

describe('readInvoicePage', () => {
  it.each(['\u0301', '\0', '\u00ad', ' \u0301\0 '])(
    'readInvoicePage returns an empty page for the search %j, and reads nothing',
    async (search) => {
      const { page, reads } = await readPage(buildQuery({ search }));
      expect([page, reads]).toEqual([{ ids: [], total: 0 }, []]);
    },
  );

  it.each<[string, Partial<ListQuery>, string[]]>([
    ['a first page', {}, ['count', 'readNewest']],
    ['the last page that ends at 100', { limit: 25, offset: LIMITS.pageMax - 25 }, ['count', 'readNewest']],
    ['a first page with a blank search', { search: ' \u3000' }, ['count', 'readNewest']],
    ['a page that ends after 100', { limit: 25, offset: LIMITS.pageMax - 24 }, ['findIds', 'readRows']],
    ['a page of a state', { state: 'PEN' }, ['findIds', 'readRows']],
    ['a page of changes', { changedSince: '2026-03-15T12:00:00.000Z' }, ['findIds', 'readRows']],
    ['a page without changes', { changedSince: '2026-03-15T12:00:00.001Z' }, ['findIds']],
    ['a page of a search', { search: 'SENAL' }, ['findIds', 'readRows']],
    ['a page after the end', { offset: 150 }, ['findIds']],
    ['a page of a search without a hit', { search: 'nothing' }, ['findIds']],
  ])('readInvoicePage makes as few reads as possible for %s: %j', async (_, changes, expected) => {
    const { page, reads, current } = await readPage(buildQuery(changes));
    expect(reads).toEqual(expected);
    expect(page).toEqual(current);
  });

  it('readInvoicePage reads the list again if an invoice of the page is no longer selected', async () => {
    proves('list-invoices/rule-4');
    const query = buildQuery({ search: 'senal', state: 'PEN' });
    const { page, reads, current } = await readPage(query, (read, invoices, count) => {
      if (read !== 'readRows' || count > 1) return;
      const index = invoices.findLastIndex(({ accountName }) => accountName === 'Señal');
      invoices[index] = { ...(invoices[index] as Invoice), state: 'REC' };
    });
    expect(page).toEqual(current);
    expect(reads).toEqual(['findIds', 'readRows', 'findIds', 'readRows']);
  });

  it('readInvoicePage returns the rows that remain after 4 attempts if the invoices change each time', async () => {
    const { page, reads } = await readPage(buildQuery({ state: 'PEN', limit: 2 }), (read, invoices) => {
      if (read !== 'readRows') return;
      const last = invoices.findLastIndex(({ state }) => state === 'PEN');
      invoices[last] = { ...(invoices[last] as Invoice), state: 'REC' };
    });
    expect(reads.filter((read) => read === 'readRows')).toHaveLength(4);
    expect(page).toEqual({ ids: ['245'], total: 147 });
  });
});
