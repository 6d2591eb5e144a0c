import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseDateRange } from '../../lib/domain/date-range.ts';
import { proves } from '../rules/proves.ts';

const DAY_MS = 86_400_000;
const FIRST_MS = Date.UTC(2026, 0, 1);
const toIso = (ms: number) => new Date(ms).toISOString();

/** The forms of the start of a day and of its end, for both ends of a range of days. */
const FORMS = [
  { zone: 'UTC', start: '', end: '' },
  { zone: 'UTC', start: 'T00:00Z', end: 'T23:59Z' },
  { zone: 'UTC', start: 'T00:00:00', end: 'T23:59:59' },
  { zone: '-03:00', start: 'T00:00:00-03:00', end: 'T23:59:59-03:00' },
  { zone: '+05:30', start: 'T00:00+05:30', end: 'T23:59+05:30' },
];

it.each(FORMS)('two adjacent months contain every invoice once, in $zone with the end %o', ({ start, end }) => {
  proves('list-invoices/startdate', 'list-invoices/enddate');
  const july = parseDateRange(`2026-07-01${start}`, `2026-07-31${end}`);
  const august = parseDateRange(`2026-08-01${start}`, `2026-08-31${end}`);
  fc.assert(
    fc.property(fc.integer({ min: july.startMs, max: august.endMs }), (invoiceMs) => {
      const months = [july, august].filter(({ startMs, endMs }) => startMs <= invoiceMs && invoiceMs <= endMs);
      expect(months, toIso(invoiceMs)).toHaveLength(1);
    }),
    { examples: [[july.endMs], [july.endMs + 1], [august.startMs]] },
  );
});

/** Returns the code of a rejected range, or the instants of an accepted one. */
function readRange(start: string, end: string): unknown {
  try {
    return parseDateRange(start, end);
  } catch (error) {
    return (error as Error).message;
  }
}

// Each form shows the day, minute, second or millisecond that contains an instant.
const CUTS = [
  (ms: number) => toIso(ms).slice(0, 10),
  (ms: number) => `${toIso(ms).slice(0, 16)}Z`,
  (ms: number) => `${toIso(ms).slice(0, 19)}Z`,
  toIso,
];
const UNITS_MS = [DAY_MS, 60_000, 1000, 1];

it('a range returns the same result however the instants of its ends are written', () => {
  proves('limits/date-range', 'list-invoices/rule-2', 'list-invoices/rule-3');
  // Most lengths are near 93 days, in whole days, minutes or seconds.
  const lengths = fc.tuple(
    fc.constantFrom(-1, 0, 92, 93, 94),
    fc.constantFrom(...UNITS_MS),
    fc.integer({ min: -2, max: 2 }),
  );
  fc.assert(
    fc.property(fc.nat(DAY_MS), fc.nat(3), lengths, fc.nat(3), (offsetMs, startCut, [days, unitMs, units], endCut) => {
      const startMs = FIRST_MS + offsetMs - (offsetMs % UNITS_MS[startCut]!);
      const end = CUTS[endCut]!(startMs + days * DAY_MS + units * unitMs);
      const written = readRange(CUTS[startCut]!(startMs), end);
      const unit = UNITS_MS[endCut]!;
      const endMs = Date.parse(end) + unit - 1;
      expect(readRange(toIso(startMs), toIso(endMs)), end).toEqual(written);
    }),
    { numRuns: 5_000 },
  );
});
