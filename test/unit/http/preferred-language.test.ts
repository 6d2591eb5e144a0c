import { describe, expect, it } from 'vitest';
import { selectLanguage } from '../../../lib/http/request.ts';

describe('the language that a request prefers', () => {
  it.each([
    ['', 'en', 'nothing is asked for'],
    ['es', 'es', 'it is the one'],
    ['es-AR', 'es', 'a region of it is asked for'],
    ['es-AR,es;q=0.9,en-US;q=0.8,en;q=0.7', 'es', 'a browser in Argentina asks'],
    ['en-US,en;q=0.9,es;q=0.8', 'en', 'a browser in the United States asks'],
    ['en;q=0.8, es;q=0.801', 'es', 'it weighs a thousandth more'],
    ['es, en', 'es', 'it stands first of two that weigh the same'],
    ['en, es', 'en', 'it stands first of two that weigh the same'],
    ['fr, es;q=0.1', 'es', 'the first choice is not there'],
    ['est, en-GB;q=0.1', 'en', 'a longer word is another language'],
    ['es;q=0', 'en', 'the other is refused'],
    ['en;q=0, es', 'es', 'the other is refused'],
    ['es-AR, es;q=0', 'en', 'what there is of the other is refused'],
    ['es-ES;q=0, es', 'es', 'only a region of it is refused'],
    ['*', 'en', 'any will do'],
    ['en;q=0, *', 'es', 'any other will do'],
    ['en;q=0.1, *;q=0.5', 'es', 'any other weighs more'],
    ['es;q=0.5, *;q=0.1', 'es', 'it weighs more than any other'],
    ['fr, *;q=0.5', 'en', 'any other than the first choice will do'],
    [' es-AR ;q=0.9\t, en ; q=0.8', 'es', 'space stands where it may'],
    ['en;q=0.5, es; Q=0.6', 'es', 'the name of a weight has no case'],
    [',, es ,', 'es', 'empty elements do not count'],
  ])('of %j is %s: %s [error-envelope/message]', (header, language) => {
    expect(selectLanguage(header)).toBe(language);
  });

  it.each(['es;q=2', 'es;q=1.5', 'es;q=-1', 'es;q=0.1234', 'es;q', 'es;level=1', 'es_AR', 'español', 'es es', 'q=1'])(
    'does not hear what is no range of languages: %j',
    (malformed) => {
      expect(selectLanguage(malformed)).toBe('en');
      expect(selectLanguage(`${malformed}, es;q=0.1`)).toBe('es');
    },
  );

  it.each([
    ['a hundred thousand ranges', 'fr-FR;q=0.5,'.repeat(100_000)],
    ['a megabyte of space', `fr${' '.repeat(1_000_000)}x,`],
    ['a weight behind a megabyte of space', `fr;${' '.repeat(1_000_000)}q=x,`],
    ['a range of a megabyte', `fr${'-a'.repeat(500_000)}_,`],
  ])('is found behind %s', (_, before) => {
    expect(selectLanguage(`${before}es`)).toBe('es');
  });
});
