import { expect, it } from 'vitest';
import type { InvoiceQuery, InvoiceRow } from '../../../lib/client/index.ts';
import { listOpenInvoices } from '../../../lib/declare-page/open-invoices.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';

/** Lists open invoices that a service with these invoices returns. */
async function listOpen(invoices: readonly Partial<InvoiceRow>[]) {
  const queries: Omit<InvoiceQuery, 'offset'>[] = [];
  const eachInvoice = async function* (query: Omit<InvoiceQuery, 'offset'>) {
    queries.push(query);
    const isInRange = ({ invoice_date: date }: Partial<InvoiceRow>) =>
      !date || (date >= query.startdate && date <= `${query.enddate}T24`);
    yield* invoices.filter((row) => row.state_code === query.status && isInRange(row)) as InvoiceRow[];
  };
  const open = await listOpenInvoices({ eachInvoice });
  return { ids: open.map(({ invoice_id: id }) => id), open, queries };
}

const toDate = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

it('pending invoices of two years, and rejected and adjusted ones of one year, are listed newest first', async () => {
  const { ids, queries } = await listOpen([
    { invoice_id: '1', state_code: 'PEN', invoice_date: toDate(3) },
    { invoice_id: '2', state_code: 'PEN', invoice_date: toDate(729) },
    { invoice_id: '3', state_code: 'REC', invoice_date: toDate(2) },
    { invoice_id: '4', state_code: 'REC', invoice_date: toDate(500) },
    { invoice_id: '5', state_code: 'AJU', invoice_date: toDate(364) },
    { invoice_id: '6', state_code: 'REV', invoice_date: toDate(1) },
  ]);
  expect(ids).toEqual(['3', '1', '5', '2']);
  expect(queries).toHaveLength(16);
});

it('an invoice without a date has the place of its service call', async () => {
  const { ids } = await listOpen([
    { invoice_id: '1', state_code: 'PEN', invoice_date: toDate(3) },
    { invoice_id: '2', state_code: 'REC', service_call_date: toDate(4) },
    { invoice_id: '3', state_code: 'AJU', invoice_date: toDate(5) },
  ]);
  expect(ids).toEqual(['1', '2', '3']);
});

it('an invoice whose state changes between two lists is listed once, with its later state', async () => {
  const { open } = await listOpen([
    { invoice_id: '1', state_code: 'REC', invoice_date: toDate(3) },
    { invoice_id: '1', state_code: 'PEN', invoice_date: toDate(3) },
  ]);
  expect(open).toMatchObject([{ invoice_id: '1', state_code: 'REC' }]);
});
