import { expect, it } from 'vitest';
import { getLanguageOfLocale } from '../../../lib/domain/language.ts';

it.each([
  ['es', 'es'],
  ['es-AR', 'es'],
  ['ES_co', 'es'],
  ['est', 'en'],
  ['en-es', 'en'],
  ['C', 'en'],
])('the language of the locale %s is %s', (locale, language) => {
  expect(getLanguageOfLocale(locale)).toBe(language);
});
