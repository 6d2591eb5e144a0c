import { describe, expect, it } from 'vitest';
import { wholeDay } from '../../../lib/domain/date-range.ts';
import { positionOf } from '../../../lib/domain/list-entry.ts';
import { makeDayIndex } from '../../../lib/invoices/day-index.ts';
import type { InvoiceRows, SearchedRow } from '../../../lib/invoices/invoice-lists.ts';
import { readSearchPage } from '../../../lib/invoices/search-page.ts';
import { anInvoice } from '../../support/data/seed-invoices.ts';

const scope = { tenant: 't.example', supplierId: '1' };
const range = wholeDay(Date.parse('2026-03-01'));
const newer = anInvoice({ invoiceId: '2', sortDate: '2026-03-01T11:00:00.000Z' });
const older = anInvoice({ invoiceId: '1', sortDate: '2026-03-01T10:00:00.000Z' });
const index = makeDayIndex(
  [newer, older].map((row) => ({ position: positionOf(row), state: row.state, text: 'a signal' })),
);
const day = { day: '2026-03-01', range, count: 50, countInAll: 50, fingerprint: index.fingerprint };

/** Searches a day of which the index has two rows; the first read of the rows finds the older one as given. */
async function search(state: 'PEN' | null, changed: Partial<SearchedRow> | null) {
  const rowOf = (row: typeof newer): [string, SearchedRow] => [positionOf(row), { row, text: 'a signal' }];
  const unchanged = new Map([rowOf(newer), rowOf(older)]);
  const first = new Map(unchanged);
  if (changed === null) first.delete(positionOf(older));
  else first.set(positionOf(older), { row: older, text: 'a signal', ...changed });
  const reads = [first];
  let counted = 0;
  const rows = {
    dayCounts: async () => {
      counted++;
      return [day];
    },
    at: async () => reads.pop() ?? unchanged,
  } as unknown as InvoiceRows;
  const indexes = { read: async () => new Map([[day.day, index]]) };
  const page = await readSearchPage({ rows, indexes }, { scope, range, state }, 'signal', 0, 5);
  return { counted, ids: page.rows.map(({ invoiceId }) => invoiceId), total: page.total };
}

describe('readSearchPage', () => {
  it.each([null, 'PEN'] as const)('searches once if the rows still match (state %s)', async (state) => {
    expect(await search(state, {})).toEqual({ counted: 1, ids: ['2', '1'], total: 2 });
  });

  it.each([
    ['has another text', { text: 'a crane' }, null],
    ['has another state', { row: { ...older, state: 'REV' } }, 'PEN'],
    ['is gone', null, null],
  ] as const)('searches again if a row %s since it was indexed [list-invoices/rule-4]', async (_, changed, state) => {
    expect(await search(state, changed)).toEqual({ counted: 2, ids: ['2', '1'], total: 2 });
  });
});
