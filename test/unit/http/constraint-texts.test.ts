import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { AjvErrorParams } from '../../../lib/http/constraint-texts.ts';
import {
  FORMAT_TEXTS,
  KEYWORD_TEXTS,
  PATTERN_TEXTS,
  tooLarge,
  tooManyValues,
} from '../../../lib/http/constraint-texts.ts';

const validators = readFileSync(new URL('../../../lib/contracts/validators.generated.js', import.meta.url), 'utf8');

/** Reads the distinct values that the errors of the validators can have under a key. */
function readReportedValues(key: string): Set<unknown> {
  const values = validators.matchAll(new RegExp(`\\b${key}: ?("(?:[^"\\\\]|\\\\.)*")`, 'g'));
  return new Set([...values].map(([, value = '']): unknown => JSON.parse(value)));
}

it('KEYWORD_TEXTS has a text for exactly the keywords that a validator reports, except `if`', () => {
  const keywords = readReportedValues('keyword');
  expect(keywords.delete('if')).toBe(true);
  expect(new Set(Object.keys(KEYWORD_TEXTS))).toEqual(keywords);
});

it('PATTERN_TEXTS and FORMAT_TEXTS have a text for exactly the patterns and formats of the contracts', () => {
  expect(new Set(Object.keys(PATTERN_TEXTS))).toEqual(readReportedValues('pattern'));
  expect(new Set(Object.keys(FORMAT_TEXTS))).toEqual(readReportedValues('format'));
});

it.each<[string, Partial<AjvErrorParams>, string, string]>([
  ['required', {}, 'is required', 'es obligatorio'],
  ['type', { type: ['string', 'null'] }, 'must be string', 'debe ser un texto'],
  ['type', { type: ['integer', 'string'] }, 'must be integer or string', 'debe ser un número entero o un texto'],
  ['enum', { allowedValues: ['A', 'B', null] }, 'must be one of A, B', 'debe ser uno de A, B'],
  ['minimum', { limit: 1 }, 'must be >= 1', 'debe ser >= 1'],
  ['not', {}, 'must be 0 or >= 0.0000005', 'debe ser 0 o >= 0.0000005'],
  ['maximum', { limit: 9 }, 'must be <= 9', 'debe ser <= 9'],
  ['minLength', { limit: 1 }, 'must NOT have fewer than 1 characters', 'no debe tener menos de 1 carácter'],
  ['minLength', { limit: 2 }, 'must NOT have fewer than 2 characters', 'no debe tener menos de 2 caracteres'],
  ['maxLength', { limit: 9 }, 'must NOT have more than 9 characters', 'no debe tener más de 9 caracteres'],
  ['minItems', { limit: 1 }, 'must NOT have fewer than 1 items', 'no debe tener menos de 1 elemento'],
  ['minItems', { limit: 2 }, 'must NOT have fewer than 2 items', 'no debe tener menos de 2 elementos'],
  ['maxItems', { limit: 9 }, 'must NOT have more than 9 items', 'no debe tener más de 9 elementos'],
])('the text of %s describes its limit: %o', (keyword, params, en, es) => {
  expect(KEYWORD_TEXTS[keyword]?.(params as AjvErrorParams)).toEqual({ en, es });
});

it('the texts of a body that is too large contain the limit', () => {
  expect(tooLarge(9)).toEqual({ en: 'must not exceed 9 bytes', es: 'no debe superar los 9 bytes' });
  const [en, es] = ['must not hold more than 9 names and values', 'no debe tener más de 9 nombres y valores'];
  expect(tooManyValues(9)).toEqual({ en, es });
});
