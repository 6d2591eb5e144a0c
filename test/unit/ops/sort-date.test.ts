import { describe, expect, it } from 'vitest';
import { recordedAtOf, sortDateOf } from '../../../infra/ops/import/merge-record.ts';
import { anInvoice } from '../../support/data/seed-invoices.ts';

const RECORDED_AT = '2026-06-10T09:00:00.000Z';
const now = new Date('2026-07-01T00:00:00.000Z');

it.each([
  ['its own date', '2026-05-01T10:00:00-03:00', '2026-04-01', '2026-05-01T13:00:00.000Z'],
  ['else the date of the service call', null, '2026-04-01', '2026-04-01T00:00:00.000Z'],
  ['else when it was recorded', null, null, RECORDED_AT],
])('the date that orders an invoice in lists is %s', (_, invoiceDate, serviceCallDate, sortDate) => {
  expect(sortDateOf({ invoiceDate, serviceCallDate }, RECORDED_AT)).toBe(sortDate);
});

describe('when an invoice was recorded', () => {
  it('is now for a new one, and for one that had a date', () => {
    for (const before of [null, anInvoice({ invoiceDate: null }), anInvoice({ serviceCallDate: null })])
      expect(recordedAtOf(before, now)).toBe(now.toISOString());
  });

  it('is kept for as long as it has no dates', () => {
    const undated = anInvoice({ invoiceDate: null, serviceCallDate: null, sortDate: RECORDED_AT });
    expect(recordedAtOf(undated, now)).toBe(RECORDED_AT);
  });
});
