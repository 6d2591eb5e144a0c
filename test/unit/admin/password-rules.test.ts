import { describe, expect, it } from 'vitest';
import { passwordFault } from '../../../lib/admin/directory/password-rules.ts';

const LENGTH = 'must have 8 to 128 characters';
const COMMON = 'is one of the most common ones';
const UNICODE = 'is not well-formed Unicode (UTF-8)';

describe('a password', () => {
  it.each([
    ['has 8 characters', 'x7-Kq.2z'],
    ['has 128 characters', 'x7-Kq.2z'.repeat(16)],
    ['has 8 characters of two UTF-16 units each', '🦊🐻🐼🐨🐯🦁🐮🐷'],
    ['has 128 characters of two UTF-16 units each', '🦊🐻🐼🐨🐯🦁🐮🐷'.repeat(16)],
    ['is a sentence with spaces', 'correct horse battery staple'],
    ['has accents', 'Ñandú-y-carancho'],
    ['is that of the demo', 'Demo-2026!'],
    ['only begins with a common one', 'password of mine'],
  ])('is accepted when it %s', (_what, password) => {
    expect(passwordFault(password)).toBeNull();
  });

  it.each([
    ['has 7 characters', 'x7-Kq.2', LENGTH],
    ['has 7 characters of two UTF-16 units each', '🦊🐻🐼🐨🐯🦁🐮', LENGTH],
    ['has 129 characters', 'x'.repeat(129), LENGTH],
    ['is common', 'password', COMMON],
    ['is common in other letters', 'PassWord1', COMMON],
    ['is common in full-width letters', 'ｐａｓｓｗｏｒｄ', COMMON],
    ['is common in Spanish', 'riverplate', COMMON],
    ['holds half a surrogate pair', 'x7-Kq.2z\ud83d', UNICODE],
    ['holds what stands for bytes that are not UTF-8', 'contrase\ufffda-7', UNICODE],
  ])('is refused when it %s', (_what, password, fault) => {
    expect(passwordFault(password)).toBe(fault);
  });
});
