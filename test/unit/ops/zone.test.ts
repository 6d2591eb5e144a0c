import { expect, it } from 'vitest';
import { hasSameWallTime, toRangeInZone, ZONE } from '../../../infra/ops/input/zone.ts';

it.each([
  ['2026-08-31', '-03:00', '2026-08-31T03:00:00.000Z', '2026-09-01T02:59:59.999Z'],
  ['2026-08-31', 'Z', '2026-08-31T00:00:00.000Z', '2026-08-31T23:59:59.999Z'],
  ['2026-08-31T22:30', '-03:00', '2026-09-01T01:30:00.000Z', '2026-09-01T01:30:59.999Z'],
  ['2026-08-31T22:30-03', 'Z', '2026-09-01T01:30:00.000Z', '2026-09-01T01:30:59.999Z'],
  ['2026-08-31T22:30:00.0Z', '-03:00', '2026-08-31T22:30:00.000Z', '2026-08-31T22:30:00.000Z'],
])('the date %s in the zone %s begins at %s and ends at %s', (date, zone, start, end) => {
  expect(toRangeInZone(date, zone)).toEqual({ startMs: Date.parse(start), endMs: Date.parse(end) });
});

it.each([
  ['2026-08-31T22:30:00-03:00', '2026-08-31T22:30', true],
  ['2026-08-31', '2026-08-31T00:00:00+05:30', true],
  ['2026-08-31T10:15:30,750Z', '2026-08-31T10:15:31', true],
  ['2026-08-31T10:15:30Z', '2026-08-31T10:15:31Z', false],
  ['2026-08-31T22:30:00-03:00', '2026-09-01T01:30:00Z', false],
  ['2026-08-31', 'no date', false],
])('%s and %s have the same wall time: %s', (one, other, isSame) => {
  expect(hasSameWallTime(one, other)).toBe(isSame);
});

it('toRangeInZone returns null for a date that does not exist', () => {
  expect(toRangeInZone('2026-02-30', 'Z')).toBeNull();
});

it('a zone is an offset from UTC or Z', () => {
  const zones = ['-03:00', '+00:00', 'Z', '+05:30', '-12:00', '+14:00'];
  const others = ['-3', '-03', '-0300', '03:00', '-03:60', '-15:00', 'z', '', '-03:00 ', 'America/Buenos_Aires'];
  expect([...zones, ...others].filter((zone) => ZONE.test(zone))).toEqual(zones);
});
