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
