import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseDateRange } from '../../lib/domain/date-range.ts';
import { proves } from '../rules/proves.ts';

const toIso = (ms: number) => new Date(ms).toISOString();

it.each([
  ['', ''],
  ['T00:00Z', 'T23:59Z'],
  ['T00:00:00-03:00', 'T23:59:59-03:00'],
])('two adjacent months contain every invoice once, from a day with %j to a day with %j', (start, end) => {
  proves('list-invoices/startdate', 'list-invoices/enddate');
  const july = parseDateRange(`2026-07-01${start}`, `2026-07-31${end}`);
  const august = parseDateRange(`2026-08-01${start}`, `2026-08-31${end}`);
  const invoiceTimes = fc.integer({ min: july.startMs, max: august.endMs });
  const property = fc.property(invoiceTimes, (ms) => {
    const months = [july, august].filter(({ startMs, endMs }) => startMs <= ms && ms <= endMs);
    expect(months, toIso(ms)).toHaveLength(1);
  });
  fc.assert(property, { examples: [[july.endMs], [july.endMs + 1], [august.startMs]] });
});

/** The units in which an end can be written, such as `2026-08-31T10:30Z` for a minute. */
const UNITS = [
  { unitMs: 86_400_000, write: (ms: number) => toIso(ms).slice(0, 10) },
  { unitMs: 60_000, write: (ms: number) => `${toIso(ms).slice(0, 16)}Z` },
  { unitMs: 1000, write: (ms: number) => `${toIso(ms).slice(0, 19)}Z` },
  { unitMs: 1, write: toIso },
];
const units = fc.constantFrom(...UNITS);

/** Parses a range. Returns the message of an error. */
function parseRange(start: string, end: string): unknown {
  try {
    return parseDateRange(start, end);
  } catch (error) {
    return (error as Error).message;
  }
}

it('a range has the same result however the instants of its ends are written', () => {
  proves('limits/date-range', 'list-invoices/rule-2', 'list-invoices/rule-3');
  // Most ends are some days, minutes or seconds before or after the start or the longest range.
  const lengths = fc.record({ days: fc.constantFrom(0, 93), unit: units, count: fc.integer({ min: -2, max: 2 }) });
  const property = fc.property(fc.nat(86_400_000), lengths, units, (offsetMs, { days, unit, count }, endUnit) => {
    const startMs = Date.UTC(2026, 0, 1) + offsetMs - (offsetMs % unit.unitMs);
    const end = endUnit.write(startMs + days * 86_400_000 + count * unit.unitMs);
    const lastInstant = toIso(Date.parse(end) + endUnit.unitMs - 1);
    expect(parseRange(toIso(startMs), end), end).toEqual(parseRange(toIso(startMs), lastInstant));
  });
  fc.assert(property, { numRuns: 5_000 });
});
