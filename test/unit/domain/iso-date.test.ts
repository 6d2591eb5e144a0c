import { describe, expect, it } from 'vitest';
import { endOf, isIsoDate, parseIsoDate, startOf } from '../../../lib/domain/iso-date.ts';

describe('an ISO 8601 date', () => {
  it('names the first instant of its day, UTC', () => {
    expect(parseIsoDate('2026-07-01')).toEqual({ epochMs: Date.UTC(2026, 6, 1), dateOnly: true });
  });

  it.each(['2024-02-29', '2000-02-29', '2026-02-28', '2026-12-31', '0001-01-01', '9999-12-31'])(
    'exists: %s',
    (text) => {
      expect(isIsoDate(text)).toBe(true);
    },
  );

  it.each([
    '2026-02-29',
    '2026-02-30',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-01-32',
  ])('does not exist: %s', (text) => {
    expect(parseIsoDate(text)).toBeNull();
  });
});

describe('an ISO 8601 date-time', () => {
  it.each([
    ['2026-07-01T10:20:30.123Z', '2026-07-01T10:20:30.123Z'],
    ['2026-07-01T10:20:30Z', '2026-07-01T10:20:30.000Z'],
    ['2026-07-01T10:20Z', '2026-07-01T10:20:00.000Z'],
    ['2026-07-01T10:20:30.5Z', '2026-07-01T10:20:30.500Z'],
    ['2026-07-01T10:20:30,25Z', '2026-07-01T10:20:30.250Z'],
    ['2026-07-01T10:20:30.123999999Z', '2026-07-01T10:20:30.123Z'],
    ['2026-07-01T10:20:30-03:00', '2026-07-01T13:20:30.000Z'],
    ['2026-07-01T10:20:30+05:30', '2026-07-01T04:50:30.000Z'],
    ['2026-07-01T10:20:30-0300', '2026-07-01T13:20:30.000Z'],
    ['2026-07-01T10:20:30-03', '2026-07-01T13:20:30.000Z'],
    ['2026-06-30T23:30:00-03:00', '2026-07-01T02:30:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0000-01-01T00:00:00.000Z', '0000-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s names %s', (text, instant) => {
    expect(parseIsoDate(text)).toEqual({ epochMs: Date.parse(instant), dateOnly: false });
  });

  it.each(['2026-07-01T10:20:30', '2026-07-01T10:20:30.000'])('without a zone is UTC: %s', (text) => {
    expect(parseIsoDate(text)?.epochMs).toBe(Date.UTC(2026, 6, 1, 10, 20, 30));
  });

  it.each([
    '2026-02-30T10:00:00Z',
    '2026-07-01T24:00:00Z',
    '2026-07-01T10:60:00Z',
    '2026-07-01T10:20:60Z',
    '2026-07-01T10:20:30.Z',
    '2026-07-01T10Z',
    '2026-07-01T10:20:30+24:00',
    '2026-07-01T10:20:30+05:60',
    '2026-07-01 10:20:30Z',
    '2026-07-01T10:20:30z',
    '0000-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
  ])('does not exist: %s', (text) => {
    expect(parseIsoDate(text)).toBeNull();
  });
});

describe('anything else', () => {
  it.each([
    '',
    ' ',
    'today',
    '1',
    '2026',
    '2026-07',
    '20260701',
    '01/07/2026',
    '2026-7-1',
    '12026-07-01',
    '-2026-07-01',
    ' 2026-07-01',
    '2026-07-01\n',
    '2026-07-01T',
    '２０２６-07-01',
  ])('is no date: %j', (text) => {
    expect(parseIsoDate(text)).toBeNull();
  });
});

describe('the instant of a date', () => {
  it.each([
    ['2026-07-01', '2026-07-01T00:00:00.000Z', '2026-07-01T23:59:59.999Z'],
    ['2026-07-01T10:20:30-03:00', '2026-07-01T13:20:30.000Z', '2026-07-01T13:20:30.000Z'],
  ])('%s begins at %s and ends at %s', (date, start, end) => {
    expect([startOf(date), endOf(date)]).toEqual([start, end]);
  });

  it('is asked for of a valid one', () => {
    expect(() => startOf('today')).toThrow('today is not an ISO 8601 date.');
  });
});
