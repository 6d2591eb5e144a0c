import { describe, expect, it } from 'vitest';
import { preferredLanguage } from '../../../../infra/docs/page/preferred-language.ts';
import { type Entry, search } from '../../../../infra/docs/page/search-entries.ts';

const entry = (title: string, about = '', kind = 'field', place = ''): Entry => ({
  kind,
  title,
  about,
  place,
  id: title,
});
const titles = (entries: readonly Entry[], query: string) => search(entries, query).map(({ title }) => title);

describe('the search', () => {
  const entries = [
    entry('declared_amount', 'Amount declared by the supplier'),
    entry('amounts of a batch'),
    entry('amount', 'Amount, rounded'),
    entry('Límites', '', 'guide'),
  ];

  it('puts whole titles before beginnings, and those before what only holds the word', () => {
    expect(titles(entries, 'amount')).toEqual(['amount', 'amounts of a batch', 'declared_amount']);
  });

  it('asks for every word, wherever it stands', () => {
    expect(titles(entries, 'supplier amount')).toEqual(['declared_amount']);
    expect(titles(entries, 'amount nowhere')).toEqual([]);
  });

  it('ignores case and accents', () => {
    expect(titles(entries, 'LIMITES')).toEqual(['Límites']);
  });

  it('finds nothing for nothing', () => {
    expect(titles(entries, '  ')).toEqual([]);
  });

  it('gives an error before an operation that mentions its status', () => {
    const both = [entry('Log in', 'a 429', 'operation'), entry('RATE_LIMITED', '(429)', 'error')];
    expect(titles(both, '429')).toEqual(['RATE_LIMITED', 'Log in']);
  });

  it('gives an operation before a field of the same rank, and not more than are asked for', () => {
    expect(titles([entry('login a'), entry('login b', '', 'operation')], 'login')).toEqual(['login b', 'login a']);
    expect(search(entries, 'a', 2)).toHaveLength(2);
  });
});

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
