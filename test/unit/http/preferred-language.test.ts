import { expect, it } from 'vitest';
import { selectLanguage } from '../../../lib/http/headers.ts';
import { proves } from '../../rules/proves.ts';

const select = (header: string) => selectLanguage({ multiValueHeaders: { 'Accept-Language': [header] } });

it.each([
  ['', 'en', 'the header is empty'],
  ['es-AR', 'es', 'a region of Spanish is listed'],
  ['es-AR,es;q=0.9,en-US;q=0.8,en;q=0.7', 'es', 'a browser in Argentina sends this header'],
  ['en;q=0.8, es;q=0.801', 'es', 'its weight is larger by 0.001'],
  ['es, en', 'es', 'it is the first of two with the same weight'],
  ['en, es', 'en', 'it is the first of two with the same weight'],
  ['fr, es;q=0.1', 'es', 'the first choice is not available'],
  ['est, en-GB;q=0.1', 'en', 'a longer code is another language'],
  ['es;q=0', 'en', 'the other has weight 0'],
  ['en;q=0, es', 'es', 'the other has weight 0'],
  ['es-ES;q=0, fr', 'en', 'a region of Spanish has weight 0, and French is not supported'],
  [' es-AR ;q=0.9\t, en ; q=0.8', 'es', 'spaces are allowed there'],
  ['en;q=0.5, es; Q=0.6', 'es', 'the name of a weight is case-insensitive'],
  ['*, es;q=0.5', 'es', 'a range of any language is ignored'],
  [',, es ,', 'es', 'empty elements are ignored'],
])('selectLanguage returns for %j the language %s: %s', (header, language) => {
  proves('error-envelope/message');
  expect(select(header)).toBe(language);
});

it.each(['es;q=2', 'es;q=1.5', 'es;q=-1', 'es;q=0.1234', 'es;q', 'es;level=1', 'es_AR', 'español', 'es es', 'q=1'])(
  'selectLanguage ignores an invalid language range: %j',
  (malformed) => {
    expect(select(malformed)).toBe('en');
    expect(select(`${malformed}, es;q=0.1`)).toBe('es');
  },
);

it.each([
  ['100,000 ranges', 'fr-FR;q=0.5,'.repeat(100_000)],
  ['1 MB of spaces', `fr${' '.repeat(1_000_000)}x,`],
  ['a weight after 1 MB of spaces', `fr;${' '.repeat(1_000_000)}q=x,`],
  ['a range of 1 MB', `fr${'-a'.repeat(500_000)}_,`],
])('selectLanguage finds a language after %s', (_, prefix) => {
  expect(select(`${prefix}es`)).toBe('es');
});
