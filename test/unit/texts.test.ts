import { describe, expect, it } from 'vitest';
import { SPANISH_TEXTS } from '../../infra/openapi/spanish/in-spanish.ts';
import { fixedParts, pairsOf, type TextTable } from '../support/texts/pairs.ts';

/** Every table of texts in both languages. */
const tables: Readonly<Record<string, TextTable>> = {
  'the OpenAPI document': Object.fromEntries(
    Object.entries(SPANISH_TEXTS).map(([english, spanish]) => [english, { en: english, es: spanish }]),
  ),
};

describe.each(Object.entries(tables))('the texts of %s', (_, table) => {
  const pairs = pairsOf(table);

  it.each(pairs)('say the same in both languages: %s', (_name, { en, es }) => {
    expect(es.trim(), 'no space around it').toBe(es);
    expect(es, 'not empty').not.toBe('');
    expect(fixedParts(es), 'the same code words, names and numbers').toEqual(fixedParts(en));
    expect(/[.:!?]?$/.exec(es)?.[0], 'the same end').toBe(/[.:!?]?$/.exec(en)?.[0]);
  });

  it('say the same thing in the same way, and leave nothing in English', () => {
    const spanish = new Map(pairs.map(([, { en, es }]) => [en, es]));
    expect(pairs.filter(([, { en, es }]) => spanish.get(en) !== es)).toEqual([]);
    expect(pairs.filter(([, { en, es }]) => en === es && en.includes(' '))).toEqual([]);
  });
});
