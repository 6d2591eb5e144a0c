import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholeDay } from '../../../lib/domain/date-range.ts';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { positionOf } from '../../../lib/domain/list-entry.ts';
import { findPositions, makeDayIndex } from '../../../lib/invoices/day-index.ts';

// Folded texts: no control characters but the line feeds between fields.
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ñ', '😀', ' ', '\n'), maxLength: 6 });
const state = fc.constantFrom(...STATE_CODES);
const entries = fc.array(fc.record({ state, text }), { maxLength: 30 }).map((some) =>
  some.map((entry, at) => ({
    ...entry,
    position: positionOf({ sortDate: '2026-03-15T10:00:00.000Z', invoiceId: `${100 - at}` }),
  })),
);

const range = wholeDay(Date.parse('2026-03-15'));

describe('the index of a day', () => {
  it('finds the entries that looking into every text finds [list-invoices/rule-4]', () => {
    const needle = fc.string({ unit: fc.constantFrom('a', 'b', 'ñ', '😀', ' '), maxLength: 3 });
    fc.assert(
      fc.property(entries, needle, fc.option(state), (all, searched, wanted) => {
        const matching = all
          .filter((entry) => entry.text.includes(searched) && (!wanted || entry.state === wanted))
          .map(({ position }) => position);
        expect(findPositions(makeDayIndex(all), searched, wanted, range)).toEqual(matching);
      }),
      { numRuns: 1000 },
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
