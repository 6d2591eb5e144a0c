import { expect, it } from 'vitest';
import { listInvoices } from '../../../lib/endpoints/list-invoices.ts';
import type { InvoiceLists } from '../../../lib/services/invoice-lists.ts';

const range = { startdate: '2026-03-01', enddate: '2026-03-31' };

it.each([
  [{}, true],
  [{ limit: 100, search: ' ' }, true],
  [{ search: 'srv' }, false],
  [{ offset: 1 }, false],
])('a list with %j is read before it is known whether the caller may have it: %j', (input, canPrefetch) => {
  expect(listInvoices({} as InvoiceLists).canPrefetch({ ...range, ...input })).toBe(canPrefetch);
});
