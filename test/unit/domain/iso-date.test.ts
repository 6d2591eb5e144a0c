import { describe, expect, it } from 'vitest';
import { toEndInstant, isIsoDate, parseIsoDate, toStartInstant } from '../../../lib/domain/iso-date.ts';

describe('an ISO 8601 date', () => {
  it('parseIsoDate returns the first instant of the day in UTC for a date', () => {
    expect(parseIsoDate('2026-07-01')?.startMs).toBe(Date.UTC(2026, 6, 1));
  });

  it('isIsoDate is true for the last days of months and years', () => {
    const dates = ['2024-02-29', '2000-02-29', '2026-02-28', '2026-12-31', '0001-01-01', '9999-12-31'];
    expect(dates.filter((text) => !isIsoDate(text))).toEqual([]);
  });
});

describe('an ISO 8601 date-time', () => {
  const at = '2026-07-01T10:20:30';
  it.each([
    [`${at}.123Z`, `${at}.123Z`],
    ['2026-07-01T10:20Z', '2026-07-01T10:20:00.000Z'],
    [`${at}.5Z`, `${at}.500Z`],
    [`${at},25Z`, `${at}.250Z`],
    [`${at}.123999999Z`, `${at}.123Z`],
    [`${at}+05:30`, '2026-07-01T04:50:30.000Z'],
    [`${at}-0300`, '2026-07-01T13:20:30.000Z'],
    [`${at}-03`, '2026-07-01T13:20:30.000Z'],
    ['2026-06-30T23:30:00-03:00', '2026-07-01T02:30:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0000-01-01T00:00:00.000Z', '0000-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    [at, `${at}.000Z`],
    [`${at}.000`, `${at}.000Z`],
  ])('parseIsoDate reads the date-time %s as %s', (text, instant) => {
    expect(parseIsoDate(text)?.startMs).toBe(Date.parse(instant));
  });
});

describe('an invalid ISO 8601 date', () => {
  const badDays = ['2026-02-29', '2026-02-30', '1900-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00'];
  const badTimes = ['10:20:60Z', '10:60:00Z', '24:00:00Z', '10:20:30+24:00', '10:20:30+05:60'];
  const otherForms = ['10:20:30.Z', '10Z', '10:20:30z', ''];
  it.each([
    ['the day does not exist', [...badDays, '2026-01-32', '2026-02-30T10:00:00Z']],
    ['the time does not exist', badTimes.map((time) => `2026-07-01T${time}`)],
    ['the time has another form', [...otherForms.map((time) => `2026-07-01T${time}`), '2026-07-01 10:20:30Z']],
    ['the instant is outside the years 0000 to 9999', ['0000-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00']],
    ['the text is not a date', ['', ' ', 'today', '1', '01/07/2026']],
    ['the digits or parts are different', ['2026', '2026-07', '20260701', '2026-7-1', '12026-07-01', '２０２６-07-01']],
    ['there are characters before or after the date', ['-2026-07-01', ' 2026-07-01', '2026-07-01\n']],
  ])('parseIsoDate returns null if %s', (_, texts) => {
    expect(texts.filter((text) => parseIsoDate(text) !== null)).toEqual([]);
  });
});

describe('the instant of a date', () => {
  it.each([
    ['2026-07-01', '2026-07-01T00:00:00.000Z', '2026-07-01T23:59:59.999Z'],
    ['2026-07-01T10:20:30-03:00', '2026-07-01T13:20:30.000Z', '2026-07-01T13:20:30.999Z'],
    ['9999-12-31T23:59', '9999-12-31T23:59:00.000Z', '9999-12-31T23:59:59.999Z'],
  ])('the date %s starts at %s and ends at %s', (date, start, end) => {
    expect([toStartInstant(date), toEndInstant(date)]).toEqual([start, end]);
  });

  it('startOf throws for a text that is not a date', () => {
    expect(() => toStartInstant('today')).toThrow(RangeError);
  });
});
