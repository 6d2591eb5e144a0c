import { expect, it } from 'vitest';
import { isDate } from '../../../../lib/client/examples/declare-csv/is-date.ts';
import { isIsoDate } from '../../../../lib/domain/iso-date.ts';

const days = [
  '2026-08-31',
  '2024-02-29',
  '2026-02-29',
  '2026-02-30',
  '2026-13-01',
  '0000-01-01',
  '2026-8-31',
  '31/08/2026',
];
const times = [
  '',
  'T',
  'T10',
  'T10:30',
  'T24:00',
  'T10:60',
  'T10:30:59',
  'T10:30:60',
  'T10:30:59.123456789',
  'T10:30:59,',
];
const zones = ['', 'Z', 'z', '+03', '-03:00', '+0330', '+24:00', '+03:60', ' '];

it('a cell is a date where the service takes it as a date', () => {
  const texts = days.flatMap((day) => times.flatMap((time) => zones.map((zone) => day + time + zone)));
  expect(texts.filter(isDate)).toEqual(texts.filter(isIsoDate));
  expect(texts.filter(isDate).length).toBeGreaterThan(40);
});
