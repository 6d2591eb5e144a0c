import { describe, expect, it } from 'vitest';
import { isDate, judgeDates, readDate } from '../../../../lib/client/examples/declare-csv/read-date.ts';
import { fileTexts } from '../../../../lib/client/examples/declare-csv/texts/file.ts';
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

describe('a date with slashes', () => {
  /** The dates of a column; a fault as its text. */
  function datesOf(texts: readonly string[], slashes = true) {
    const style = judgeDates(
      texts.map((text) => ({ text })),
      { slashes },
    );
    const readings = texts.map((text) => readDate(text, style));
    return readings.map((reading) => ('fault' in reading ? reading.fault.en : reading.value));
  }

  it('is day/month/year where another date of the column has a day after the 12th', () => {
    expect(datesOf(['31/08/2026', '1/9/2026', '2026-09-02'])).toEqual(['2026-08-31', '2026-09-01', '2026-09-02']);
  });

  it('that may be two days is refused', () => {
    expect(datesOf(['1/9/2026'])).toEqual([fileTexts.twoDates('1/9/2026', '2026-09-01', '2026-01-09').en]);
    expect(datesOf(['9/9/2026'])).toEqual(['2026-09-09']);
  });

  it.each(['12/31/2026', '30/2/2026', '31/08/26', '31/08/2026 10:30', '31-08-2026', '0/1/2026'])(
    '(%s) is refused when there is no such day, or it is written in another way',
    (text) => {
      expect(datesOf(['31/08/2026', text])[1]).toBe(fileTexts.noDate.en);
    },
  );

  it('is refused between commas', () => {
    expect(datesOf(['31/08/2026'], false)).toEqual([fileTexts.noDate.en]);
  });
});
