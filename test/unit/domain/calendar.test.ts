import { describe, expect, it } from 'vitest';
import { dayOf, wholeDay } from '../../../lib/domain/calendar.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';

const at = (text: string) => Date.parse(`2026-07-${text}Z`);
const range = (start: string, end: string) => ({ startMs: at(start), endMs: at(end) });

describe('a day', () => {
  it('goes from its first to its last millisecond, UTC', () => {
    expect(wholeDay(at('05T13:00:00'))).toEqual(range('05T00:00:00.000', '05T23:59:59.999'));
    expect(wholeDay(-1)).toEqual({ startMs: -DAY_MS, endMs: -1 });
  });

  it('is written yyyy-mm-dd', () => {
    expect(dayOf(at('05T23:59:59.999'))).toBe('2026-07-05');
  });
});
