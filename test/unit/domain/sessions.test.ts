import { describe, expect, it } from 'vitest';
import { hasEnded, timeOfIssue, tokensFromAfter } from '../../../lib/domain/sessions.ts';

const at = (time: string) => new Date(`2026-07-01T${time}Z`);
const iso = (time: string) => at(time).toISOString();

describe('the time from which tokens are valid', () => {
  it.each([
    ['in the middle of a second', '10:00:00.500', undefined, '10:00:01'],
    ['at the end of a second', '10:00:00.999', undefined, '10:00:01'],
    ['at the very beginning of a second', '10:00:01.000', undefined, '10:00:02'],
    ['after an earlier end', '10:00:00.500', '09:00:00', '10:00:01'],
    [
      'again in the same second, in which tokens for the next may have been issued',
      '10:00:00.600',
      '10:00:01',
      '10:00:02',
    ],
    ['in the second of the time of before', '10:00:01.500', '10:00:01', '10:00:02'],
    ['by a clock that is behind', '10:00:00.500', '11:00:00', '11:00:01'],
  ])(
    'is the next whole second, and later than before: %s [codes/UNAUTHORIZED/token]',
    (_what, now, before, expected) => {
      expect(tokensFromAfter(at(now), before && iso(before))).toBe(iso(expected));
    },
  );
});

describe('a token', () => {
  const from = at('10:00:01').getTime();
  const issuedAt = (time: string) => Math.floor(timeOfIssue(at(time), from).getTime() / 1000);

  it('that is issued once tokens are valid has that time', () => {
    expect(timeOfIssue(at('10:00:01.700'), from)).toEqual(at('10:00:01.700'));
    expect(timeOfIssue(at('10:00:01.700'), 0)).toEqual(at('10:00:01.700'));
  });

  it.each(['10:00:00.000', '10:00:00.999', '10:00:01.000', '10:00:05.000'])(
    'that is issued at %s has not ended [codes/UNAUTHORIZED/token]',
    (time) => {
      expect(hasEnded(issuedAt(time), from)).toBe(false);
    },
  );

  it('of before has ended [codes/UNAUTHORIZED/token]', () => {
    expect(hasEnded(Math.floor(at('10:00:00.999').getTime() / 1000), from)).toBe(true);
  });
});
