import { describe, expect, it } from 'vitest';
import type { InvoiceRow } from '../../../lib/domain/invoice.ts';
import type { InvoiceRows } from '../../../lib/services/invoice-lists.ts';
import { readFound } from '../../../lib/services/segment-rows.ts';

const selection = { scope: { tenant: 't.example', supplierId: '1' }, range: { startMs: 0, endMs: 1 }, state: null };
const row = (state: InvoiceRow['state']) => ({ state }) as InvoiceRow;
const segment = { range: selection.range, count: 2, positions: ['newer', 'older'] };

/** Reads two rows that an index has found, one of which may have changed since. */
function read(older: { text: string; row: InvoiceRow } | null, state: InvoiceRow['state'] | null) {
  const found = new Map([
    ['newer', { text: 'a signal', row: row('PEN') }],
    ...(older ? [['older', older] as const] : []),
  ]);
  const port = { at: async () => found } as unknown as InvoiceRows;
  return readFound(port, { ...selection, state }, 'signal', [{ segment, skip: 0, take: 2 }]);
}

describe('the rows that an index has found', () => {
  it.each([null, 'PEN'] as const)('are exact while they are as the index says (state %s)', async (state) => {
    const same = { text: 'another signal', row: row('PEN') };
    expect(await read(same, state)).toEqual({ rows: [row('PEN'), row('PEN')], isExact: true });
  });

  it.each([
    ['has another text', { text: 'a crane', row: row('PEN') }, null],
    ['has another state', { text: 'a signal', row: row('REV') }, 'PEN'],
    ['is gone', null, null],
  ] as const)('are not exact when one %s since [list-invoices/rule-4]', async (_, older, state) => {
    expect((await read(older, state)).isExact).toBe(false);
  });
});
