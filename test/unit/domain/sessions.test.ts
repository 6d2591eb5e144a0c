import { expect, it } from 'vitest';
import { hasEnded, timeOfIssue, tokensFromAfter } from '../../../lib/domain/sessions.ts';

const at = (time: string) => new Date(`2026-07-01T${time}Z`);
const iso = (time: string) => at(time).toISOString();

it.each([
  ['in the middle of a second', '10:00:00.500', undefined, '10:00:01'],
  ['at the end of a second', '10:00:00.999', undefined, '10:00:01'],
  ['at the very beginning of a second', '10:00:01.000', undefined, '10:00:02'],
  ['after an earlier end', '10:00:00.500', '09:00:00', '10:00:01'],
  // Tokens for the next second may have been issued.
  ['again in the same second', '10:00:00.600', '10:00:01', '10:00:02'],
  ['in the second of the time of before', '10:00:01.500', '10:00:01', '10:00:02'],
  ['by a clock that is behind', '10:00:00.500', '11:00:00', '11:00:01'],
])(
  'the time from which tokens are valid is the next whole second, and later than before: %s [codes/UNAUTHORIZED/token]',
  (_what, now, before, expected) => {
    expect(tokensFromAfter(at(now), before && iso(before))).toBe(iso(expected));
  },
);

const from = at('10:00:01').getTime();

it.each(['10:00:00.000', '10:00:00.999', '10:00:01.000', '10:00:05.000'])(
  'a token that is issued at %s has not ended, one of before has [codes/UNAUTHORIZED/token]',
  (time) => {
    const issued = timeOfIssue(at(time), from);
    expect(issued).toEqual(new Date(Math.max(at(time).getTime(), from)));
    expect(hasEnded(Math.floor(issued.getTime() / 1000), from)).toBe(false);
    expect(hasEnded(Math.floor(from / 1000) - 1, from)).toBe(true);
  },
);
