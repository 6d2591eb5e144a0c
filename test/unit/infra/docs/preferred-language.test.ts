import { describe, expect, it } from 'vitest';
import { preferredLanguage } from '../../../../infra/docs/page/choices.ts';

describe('the language to read in', () => {
  it.each([
    [null, ['es-AR', 'en'], 'es'],
    [null, ['pt', 'es-419'], 'es'],
    [null, ['de'], 'en'],
    [null, [], 'en'],
    ['en', ['es'], 'en'],
    ['es', ['en'], 'es'],
    ['xx', ['ES'], 'es'],
  ])('of %s and %j is %s', (chosen, browser, language) => {
    expect(preferredLanguage(chosen, browser)).toBe(language);
  });
});
