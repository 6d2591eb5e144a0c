import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { idInPlace, placeOf } from '../../../lib/domain/list-entry.ts';
import { makeDayIndex, positionsIn, positionsOf } from '../../../lib/services/day-index.ts';

// Folded texts: no control characters but the line feeds between fields.
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ñ', '😀', ' ', '\n'), maxLength: 6 });
const state = fc.constantFrom(...STATE_CODES);
const entries = fc.array(fc.record({ state, text }), { maxLength: 30 }).map((some) =>
  some.map((entry, at) => ({
    ...entry,
    place: placeOf({ sortDate: '2026-03-15T10:00:00.000Z', invoiceId: `${100 - at}` }),
  })),
);

describe('the index of a day', () => {
  it('finds the entries that looking into every text finds [list-invoices/rule-4]', () => {
    const needle = fc.string({ unit: fc.constantFrom('a', 'b', 'ñ', '😀', ' '), maxLength: 3 });
    fc.assert(
      fc.property(entries, needle, fc.option(state), (all, searched, wanted) => {
        const matching = all.flatMap((entry, at) =>
          entry.text.includes(searched) && (!wanted || entry.state === wanted) ? [at] : [],
        );
        expect(positionsOf(makeDayIndex(all), searched, wanted)).toEqual(matching);
      }),
      { numRuns: 1000 },
    );
  });

  it('finds the entries of a state', () => {
    fc.assert(
      fc.property(entries, fc.option(state), (all, wanted) => {
        const matching = all.flatMap((entry, at) => (!wanted || entry.state === wanted ? [at] : []));
        expect(positionsIn(makeDayIndex(all), wanted)).toEqual(matching);
      }),
    );
  });

  it('has another fingerprint as soon as an entry is another', () => {
    fc.assert(
      fc.property(entries, fc.nat(), text, state, (all, at, otherText, otherState) => {
        const changed = all.map((entry, index) =>
          index === at % Math.max(1, all.length) ? { ...entry, text: otherText, state: otherState } : entry,
        );
        const isSame = JSON.stringify(changed) === JSON.stringify(all);
        expect(makeDayIndex(changed).fingerprint === makeDayIndex(all).fingerprint).toBe(isSame);
      }),
    );
  });
});

describe('the place of an invoice', () => {
  const date = '2026-03-15T10:00:00.000Z';
  const id = fc.stringMatching(/^[0-9]{1,20}$/);

  it('tells its id, and no two invoices have the same, zeros before the id or not [list-invoices/rule-4]', () => {
    fc.assert(
      fc.property(id, id, (one, other) => {
        const [place, otherPlace] = [one, other].map((invoiceId) => placeOf({ sortDate: date, invoiceId }));
        expect(idInPlace(place ?? '')).toBe(one);
        expect(place === otherPlace).toBe(one === other);
      }),
    );
    expect(placeOf({ sortDate: date, invoiceId: '7' })).not.toBe(placeOf({ sortDate: date, invoiceId: '007' }));
  });

  it('orders invoices by date, then by the number that their id is', () => {
    fc.assert(
      fc.property(id, id, (one, other) => {
        fc.pre(BigInt(one) !== BigInt(other));
        const [place = '', otherPlace = ''] = [one, other].map((invoiceId) => placeOf({ sortDate: date, invoiceId }));
        expect(place < otherPlace).toBe(BigInt(one) < BigInt(other));
      }),
    );
  });
});
