import { expect, it } from 'vitest';
import { isTokenRevoked, nextTokenCutoff } from '../../../lib/access/sessions.ts';

const NOW = new Date('2026-07-01T10:00:00.000Z');

it.each([
  ['no earlier end', undefined, '2026-07-01T10:00:00.001Z'],
  ['an earlier end', '2026-07-01T09:00:00.000Z', '2026-07-01T10:00:00.001Z'],
  ['an earlier end in the same millisecond', '2026-07-01T10:00:00.001Z', '2026-07-01T10:00:00.002Z'],
  ['a clock that was set back after the earlier end', '2026-07-01T11:00:00.000Z', '2026-07-01T11:00:00.001Z'],
])('nextTokenCutoff returns a time after now and after the earlier cutoff: %s', (_case, before, expected) => {
  expect(nextTokenCutoff(NOW, before)).toBe(expected);
});

it('a token is revoked if its cutoff is not the current one, whatever its time of issue [codes/UNAUTHORIZED/token]', () => {
  const issuedAtSeconds = NOW.getTime() / 1000;
  for (const cutoffMs of [0, NOW.getTime() - 1, NOW.getTime() + 1]) {
    const isRevoked = (tokensNotBeforeMs: number) => isTokenRevoked({ issuedAtSeconds, tokensNotBeforeMs }, cutoffMs);
    expect([cutoffMs - 1, cutoffMs, cutoffMs + 1].map(isRevoked)).toEqual([true, false, true]);
  }
});

it('a token of an earlier version is revoked if it was issued before the cutoff [codes/UNAUTHORIZED/token]', () => {
  const issuedAtSeconds = NOW.getTime() / 1000;
  const isRevoked = (cutoffMs: number) => isTokenRevoked({ issuedAtSeconds, tokensNotBeforeMs: undefined }, cutoffMs);
  expect([0, NOW.getTime(), NOW.getTime() + 1].map(isRevoked)).toEqual([false, false, true]);
  // Every cutoff of this version is later than the tokens that were issued until then.
  expect(isRevoked(Date.parse(nextTokenCutoff(NOW, undefined)))).toBe(true);
});
