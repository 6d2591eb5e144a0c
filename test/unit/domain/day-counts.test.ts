import { describe, expect, it } from 'vitest';
import { dayOf, splitEvenly, splitIntoDays, wholeDay } from '../../../lib/domain/day-counts.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';

const at = (text: string) => Date.parse(`2026-07-${text}Z`);
const range = (start: string, end: string) => ({ startMs: at(start), endMs: at(end) });
const counted = (day: string, count: number) => ({ ...wholeDay(at(`${day}T00:00:00`)), count });

describe('a day', () => {
  it('goes from its first to its last millisecond, UTC', () => {
    expect(wholeDay(at('05T13:00:00'))).toEqual(range('05T00:00:00.000', '05T23:59:59.999'));
    expect(wholeDay(-1)).toEqual({ startMs: -DAY_MS, endMs: -1 });
  });

  it('is written yyyy-mm-dd', () => {
    expect(dayOf(at('05T23:59:59.999'))).toBe('2026-07-05');
  });
});

describe('splitIntoDays', () => {
  it('leaves whole days whole', () => {
    const days = range('01T00:00:00.000', '03T23:59:59.999');
    expect(splitIntoDays(days)).toEqual({ wholeDays: days, partialDays: [] });
  });

  it('leaves one whole day whole', () => {
    const day = range('01T00:00:00.000', '01T23:59:59.999');
    expect(splitIntoDays(day)).toEqual({ wholeDays: day, partialDays: [] });
  });

  it('separates the parts of days at both ends', () => {
    expect(splitIntoDays(range('01T10:00:00', '04T10:00:00'))).toEqual({
      wholeDays: range('02T00:00:00.000', '03T23:59:59.999'),
      partialDays: [range('01T10:00:00', '01T23:59:59.999'), range('04T00:00:00', '04T10:00:00')],
    });
  });

  it('separates the part at one end only', () => {
    expect(splitIntoDays(range('01T00:00:00', '02T10:00:00'))).toEqual({
      wholeDays: range('01T00:00:00', '01T23:59:59.999'),
      partialDays: [range('02T00:00:00', '02T10:00:00')],
    });
  });

  it.each([
    ['within a day', '01T10:00:00', '01T11:00:00'],
    ['from the first instant of a day', '01T00:00:00', '01T11:00:00'],
    ['to the last instant of a day', '01T10:00:00', '01T23:59:59.999'],
  ])('finds no whole day %s', (_where, start, end) => {
    expect(splitIntoDays(range(start, end))).toEqual({ wholeDays: null, partialDays: [range(start, end)] });
  });

  it('finds no whole day between the parts of two days', () => {
    expect(splitIntoDays(range('01T23:59:59.999', '02T00:00:00.000'))).toEqual({
      wholeDays: null,
      partialDays: [range('01T23:59:59.999', '01T23:59:59.999'), range('02T00:00:00', '02T00:00:00')],
    });
  });
});

describe('splitEvenly', () => {
  const whole = range('01T00:00:00', '04T23:59:59.999');

  it('cuts at the days that fill a share of the rows, newest first', () => {
    const parts = ['01', '02', '03', '04'].map((day) => counted(day, 10));
    expect(splitEvenly(whole, parts, 2)).toEqual([
      range('03T00:00:00', '04T23:59:59.999'),
      range('01T00:00:00', '02T23:59:59.999'),
    ]);
  });

  it('leaves the range whole when one part is asked for, or no row is counted', () => {
    expect(splitEvenly(whole, [counted('02', 10)], 1)).toEqual([whole]);
    expect(splitEvenly(whole, [], 3)).toEqual([whole]);
  });
});
