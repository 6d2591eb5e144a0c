import { describe, expect, it } from 'vitest';
import { idInPlace, placeOf, placesBetween } from '../../../lib/domain/list-entry.ts';

const sortDate = '2026-03-15T10:00:00.000Z';

describe('the place of an invoice in a list', () => {
  it('orders by date, then by id as a number', () => {
    const places = ['7', '10', '99999999999999999999'].map((invoiceId) => placeOf({ sortDate, invoiceId }));
    expect(places.toSorted()).toEqual(places);
    expect(placeOf({ sortDate: '2026-03-15T10:00:00.001Z', invoiceId: '1' }) > (places[2] ?? '')).toBe(true);
  });

  it.each(['7', '100', '10000000000000000002', '007', '0', '000'])('tells the id: %s', (invoiceId) => {
    expect(idInPlace(placeOf({ sortDate, invoiceId }))).toBe(invoiceId);
  });

  it('is between those of a range that holds its date, and not between others', () => {
    const place = placeOf({ sortDate, invoiceId: '7' });
    const isBetween = (from: string, to: string) => {
      const { first, last } = placesBetween(from, to);
      return first <= place && place <= last;
    };
    expect(isBetween(sortDate, sortDate)).toBe(true);
    expect(isBetween('2026-03-15T10:00:00.001Z', '2026-03-16T00:00:00.000Z')).toBe(false);
    expect(isBetween('2026-03-14T00:00:00.000Z', '2026-03-15T09:59:59.999Z')).toBe(false);
  });
});
