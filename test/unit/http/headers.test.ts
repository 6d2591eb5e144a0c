import { expect, it } from 'vitest';
import { readHeader, readMediaType, selectLanguage } from '../../../lib/http/headers.ts';
import { proves } from '../../rules/proves.ts';

it.each(['X-API-Key', 'x-api-key', 'X-Api-Key'])('headerOf finds a header for any case of its name: %s', (name) => {
  expect(readHeader({ headers: { Accept: '*/*', [name]: 'secret' } }, 'x-api-key')).toBe('secret');
});

it('headerOf trims a value, and returns undefined for a blank one', () => {
  const values = [' demo.example ', '  ', undefined].map((tenant) => readHeader({ headers: { tenant } }, 'tenant'));
  expect(values).toEqual(['demo.example', undefined, undefined]);
});

it.each<[string, Readonly<Record<string, string[]>>, string | undefined]>([
  ['different values', { tenant: ['a.example', 'b.example'] }, 'b.example, a.example'],
  ['different values under other names', { Tenant: ['a.example'], tenant: ['b.example'] }, 'a.example, b.example'],
  ['a value and a blank', { tenant: [' ', 'a.example'] }, 'a.example, '],
  ['equal values', { Tenant: ['a.example'], tenant: [' a.example', 'a.example'] }, 'a.example'],
])('headerOf returns each value of a repeated header once: %s', (_, multiValueHeaders, expected) => {
  const last = Object.entries(multiValueHeaders).map(([name, values]) => [name, values.at(-1)]);
  expect(readHeader({ headers: Object.fromEntries(last), multiValueHeaders }, 'tenant')).toBe(expected);
});

it('selectLanguage reads all Accept-Language headers of a request, and returns English if it has none', () => {
  proves('error-envelope/message');
  const multiValueHeaders = { 'Accept-Language': ['fr', 'en;q=0.5'], Accept: ['*/*'], 'accept-language': ['es'] };
  expect(selectLanguage({ multiValueHeaders })).toBe('es');
  expect(selectLanguage({})).toBe('en');
});

it.each([
  [['Application/JSON; charset=UTF-8'], 'application/json'],
  [['application/json', 'application/json'], 'application/json'],
  [['application/json; charset=UTF-8', 'text/plain'], undefined],
  [[' '], undefined],
])('mediaTypeOf returns for the Content-Type values %j the media type %j', (values, expected) => {
  expect(readMediaType({ multiValueHeaders: { 'content-type': values } })).toBe(expected);
});

const select = (header: string) => selectLanguage({ multiValueHeaders: { 'Accept-Language': [header] } });

it.each([
  ['', 'en', 'the header is empty'],
  ['es-AR,es;q=0.9,en-US;q=0.8,en;q=0.7', 'es', 'a browser in Argentina sends this header'],
  ['en;q=0.8, es;q=0.801', 'es', 'its weight is larger by 0.001'],
  ['en, es', 'en', 'it is the first of two with the same weight'],
  ['fr, es;q=0.1', 'es', 'the first choice is not available'],
  ['est, en-GB;q=0.1', 'en', 'a longer code is another language'],
  ['en;q=0, es', 'es', 'the other has weight 0'],
  ['es-ES;q=0, fr', 'en', 'a region of Spanish has weight 0, and French is not supported'],
  [' es-AR ;q=0.9\t, en ; q=0.8', 'es', 'spaces are allowed there'],
  ['en;q=0.5, es; Q=0.6', 'es', 'the name of a weight is case-insensitive'],
  ['*, es;q=0.5', 'es', 'a range of any language is ignored'],
])('selectLanguage returns for %j the language %s: %s', (header, language) => {
  proves('error-envelope/message');
  expect(select(header)).toBe(language);
});

it.each(['es;q=2', 'es;q=0.1234', 'es;q', 'es;level=1', 'es_AR', 'español', 'es es'])(
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
