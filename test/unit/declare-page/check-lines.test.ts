import { expect, it } from 'vitest';
import type { InvoicePage, InvoiceQuery, InvoiceRow, StateCode, Tolerance } from '../../../lib/client/index.ts';
import { checkAmount, findInvoices } from '../../../lib/declare-page/check-lines.ts';
import type { Outcome } from '../../../lib/declare-page/line-result.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';

/** Searches for ids in a list with these invoices: their ids by the number of days before today. */
async function search(ids: readonly string[], idsByDay: Readonly<Record<number, readonly string[]>>) {
  const queries: InvoiceQuery[] = [];
  const listInvoices = async (query: InvoiceQuery) => {
    queries.push(query);
    const { startdate, enddate, limit, offset } = query;
    const matches = Object.entries(idsByDay).flatMap(([days, dayIds]) => {
      const date = new Date(Date.now() - Number(days) * DAY_MS).toISOString().slice(0, 10);
      return date >= startdate && date <= enddate ? dayIds : [];
    });
    const rows = matches.slice(offset ?? 0, (offset ?? 0) + (limit ?? 0)).map((id) => ({ invoice_id: id }));
    return { rows, total: matches.length, tolerance: {} } as InvoicePage;
  };
  const found: string[] = [];
  for await (const { row } of findInvoices(ids, { listInvoices })) found.push(row.invoice_id);
  return { found, queries };
}

const range = (first: number, length: number) => Array.from({ length }, (_, index) => String(first + index));

it('invoices are found in all pages of a range, with the longest range and page that the list accepts', async () => {
  const { found, queries } = await search(range(1, 300), { 5: range(1, 150), 80: range(151, 150) });
  expect(found).toEqual(range(1, 300));
  expect(queries.map(({ limit, offset }) => [limit, offset])).toEqual([0, 100, 200].map((offset) => [100, offset]));
  const { startdate, enddate } = queries[0]!;
  expect((Date.parse(enddate) - Date.parse(startdate)) / DAY_MS + 1).toBe(LIMITS.rangeDays);
  expect(Date.parse(enddate)).toBeGreaterThan(Date.now());
});

it('invoices of earlier ranges are searched while invoices are missing, each day once, for two years', async () => {
  const { found, queries } = await search(range(1, 20), { [-1]: ['1'], 91: ['2'], 92: ['3'], 730: ['4'], 731: ['5'] });
  expect(found.toSorted()).toEqual(['1', '2', '3', '4']);
  expect(queries).toHaveLength(8);
});

it('the search ends when the reads without a match are as many as the missing invoices', async () => {
  expect((await search(['1', 'x', 'y'], { 5: [...range(2, 300), '1'] })).queries).toHaveLength(3);
  expect((await search(['1'], { 5: ['1', ...range(2, 300)] })).queries).toHaveLength(1);
});

const tolerance: Tolerance = {
  mode: 'PCT',
  tolerance_pct: 5,
  tolerance_abs: null,
  auto_approve: true,
  source: 'proveedor',
};

it.each<[string, StateCode, number, Outcome]>([
  ['would be approved at the limit of the tolerance', 'PEN', 1050, 'would_be_approved'],
  ['would go to review above the limit', 'PEN', 1050.01, 'would_go_to_review'],
  ['would go to review after a rejection by the company', 'REC', 1000, 'would_go_to_review'],
  ['may go to review if the invoice is in review', 'REV', 1050, 'may_go_to_review'],
  ['may go to review if the invoice is approved', 'APR', 1050, 'may_go_to_review'],
  ['would go to review above the limit if the invoice is in review', 'REV', 1050.01, 'would_go_to_review'],
])('an amount %s', (_, state, amount, outcome) => {
  const row = { invoice_id: '1', state_code: state, system_amount: 1000 } as InvoiceRow;
  const result = checkAmount({ row, tolerance }, amount, 'en');
  const action = outcome === 'would_be_approved' ? 'AUTO_APPROVE' : 'REVIEW';
  expect(result).toMatchObject({ outcome, tolerance: { action } });
});
