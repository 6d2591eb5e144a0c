import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idInPlace, placeOf, placesBetween } from '../../../lib/domain/list-entry.ts';

describe('the place of an invoice', () => {
  const sortDate = '2026-03-15T10:00:00.000Z';
  const id = fc.stringMatching(/^[0-9]{1,20}$/);

  it('tells its id, and no two invoices have the same, zeros before the id or not [list-invoices/rule-4]', () => {
    fc.assert(
      fc.property(id, id, (one, other) => {
        const [place, otherPlace] = [one, other].map((invoiceId) => placeOf({ sortDate, invoiceId }));
        expect(idInPlace(place ?? '')).toBe(one);
        expect(place === otherPlace).toBe(one === other);
      }),
    );
    expect(placeOf({ sortDate, invoiceId: '7' })).not.toBe(placeOf({ sortDate, invoiceId: '007' }));
  });

  it('orders invoices by date, then by the number that their id is', () => {
    fc.assert(
      fc.property(id, id, (one, other) => {
        fc.pre(BigInt(one) !== BigInt(other));
        const [place = '', otherPlace = ''] = [one, other].map((invoiceId) => placeOf({ sortDate, invoiceId }));
        expect(place < otherPlace).toBe(BigInt(one) < BigInt(other));
      }),
    );
  });

  it('tells an id that has all its digits, zeros among them', () => {
    expect(idInPlace(placeOf({ sortDate, invoiceId: '10000000000000000002' }))).toBe('10000000000000000002');
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
