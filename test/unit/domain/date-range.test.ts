import { describe, expect, it } from 'vitest';
import { parseDateRange } from '../../../lib/domain/date-range.ts';
import { proves } from '../../rules/proves.ts';

const parseToText = (start: string, end: string) => {
  const { startMs, endMs } = parseDateRange(start, end);
  return [new Date(startMs).toISOString(), new Date(endMs).toISOString()];
};

const matchError = (message: string) => expect.objectContaining({ code: 'INVALID_DATE_RANGE', message });
const TOO_LONG = matchError('The range may not exceed 93 days.');
const REVERSED = matchError('enddate is before startdate.');

describe('parseDateRange', () => {
  const [instant, next] = ['2026-07-01T10:00:00.000Z', '2026-07-01T10:00:00.001Z'] as const;
  it.each([
    ['two dates ends with the last day', '2026-07-01', '2026-07-31', '2026-07-31T23:59:59.999Z'],
    ['one date is that day', '2026-07-01', '2026-07-01', '2026-07-01T23:59:59.999Z'],
    ['date-times ends at the exact instant of its end', instant, next, next],
    ['one date-time is that instant', instant, instant, instant],
    ['a date-time and its date ends with that day', instant, '2026-07-01', '2026-07-01T23:59:59.999Z'],
    ['whole seconds ends with the last second', instant, '2026-07-31T23:59:59-03:00', '2026-08-01T02:59:59.999Z'],
    ['a fraction of a second ends at that instant', instant, '2026-07-01T10:00:00.5Z', '2026-07-01T10:00:00.500Z'],
  ])('a range of %s', (_, start, end, last) => {
    expect(parseToText(start, end)).toEqual([new Date(start).toISOString(), last]);
  });

  it.each([
    ['dates', '2026-05-01', '2026-08-02'],
    ['date-times', '2026-05-01T08:00:00Z', '2026-08-02T08:00:00Z'],
    ['zones that differ', '2026-05-01T00:00:00-03:00', '2026-08-02T03:00:00Z'],
    ['dates, written as date-times', '2026-05-01T00:00Z', '2026-08-02T23:59:59.999Z'],
  ])('accepts a range of exactly 93 days between its %s', (_kind, start, end) => {
    proves('limits/date-range');
    expect(parseDateRange(start, end).startMs).toBe(Date.parse(start));
  });

  it.each([
    ['a day', '2026-05-01', '2026-08-03'],
    ['a millisecond', '2026-05-01T08:00:00.000Z', '2026-08-02T08:00:00.001Z'],
    ['hours, from a date to a date-time', '2026-05-01', '2026-08-02T12:00:00Z'],
    ['years', '2020-01-01', '2026-01-01'],
  ])('rejects a range that exceeds 93 days by %s with INVALID_DATE_RANGE', (_excess, start, end) => {
    proves('limits/date-range', 'codes/INVALID_DATE_RANGE/too-long');
    expect(() => parseDateRange(start, end)).toThrow(TOO_LONG);
  });

  it.each([
    ['a day', '2026-07-02', '2026-07-01'],
    ['a millisecond', '2026-07-01T10:00:00.001Z', '2026-07-01T10:00:00.000Z'],
    ['its zone', '2026-07-01T10:00:00Z', '2026-07-01T10:00:00+01:00'],
    ['more than 93 days', '2026-07-01', '2020-01-01'],
  ])('rejects a range that ends before its start by %s with INVALID_DATE_RANGE', (_by, start, end) => {
    proves('list-invoices/rule-3', 'codes/INVALID_DATE_RANGE/reversed');
    expect(() => parseDateRange(start, end)).toThrow(REVERSED);
  });

  it.each([
    ['startdate', 'yesterday', '2026-07-01'],
    ['startdate', '2026-02-30', '2026-03-01'],
    ['enddate', '2026-07-01', '2026-07-32'],
    ['enddate', '2026-07-01', '01/08/2026'],
    ['enddate', '2026-07-01', '20260801'],
  ])('rejects a range whose %s has no accepted form with INVALID_DATE_RANGE: %s, %s', (property, start, end) => {
    proves('list-invoices/startdate', 'list-invoices/enddate', 'list-invoices/rule-2');
    proves('codes/INVALID_DATE_RANGE/not-iso');
    const form = 'an existing date in the form 2026-08-31 or 2026-08-31T10:30:00-03:00';
    expect(() => parseDateRange(start, end)).toThrow(matchError(`${property} must be ${form}.`));
  });

  it('names a plus sign that is not encoded, and that the query contains as a blank', () => {
    const message = 'startdate has a blank in place of the + of its zone: encode + as %2B.';
    expect(() => parseDateRange('2026-07-01T00:00 05:30', '2026-07-31')).toThrow(matchError(message));
  });
});
