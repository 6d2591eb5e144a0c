import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FORMAT_TEXTS, KEYWORD_TEXTS, PATTERN_TEXTS } from '../../../lib/http/constraint-texts.ts';

const validators = readFileSync(new URL('../../../lib/contracts/validators.generated.js', import.meta.url), 'utf8');

/** What the validators can report under this key, without repetitions. */
function reported(key: string): Set<unknown> {
  const values = validators.matchAll(new RegExp(`\\b${key}: ?("(?:[^"\\\\]|\\\\.)*")`, 'g'));
  return new Set([...values].map(([, value = '']): unknown => JSON.parse(value)));
}

describe('the texts of constraints', () => {
  it('are those of all keywords that a validator reports, but for `if`, and of no others', () => {
    const keywords = reported('keyword');
    expect(keywords.delete('if')).toBe(true);
    expect(new Set(Object.keys(KEYWORD_TEXTS))).toEqual(keywords);
  });

  it('are those of all patterns and formats of the contracts, and of no others', () => {
    expect(new Set(Object.keys(PATTERN_TEXTS))).toEqual(reported('pattern'));
    expect(new Set(Object.keys(FORMAT_TEXTS))).toEqual(reported('format'));
  });
});
