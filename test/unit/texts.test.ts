import { describe, expect, it } from 'vitest';
import * as texts from '../../lib/domain/texts.ts';
import * as http from '../../lib/http/constraint-texts.ts';
import { operationNames, pageTexts, scriptTexts } from '../../infra/docs/texts.ts';
import { SPANISH_TEXTS } from '../../infra/openapi/spanish/in-spanish.ts';
import { fileTexts } from '../../lib/client/examples/declare-csv/texts/file.ts';
import { helpTexts } from '../../lib/client/examples/declare-csv/texts/help.ts';
import { runTexts } from '../../lib/client/examples/declare-csv/texts/run.ts';
import { integrationGuide } from '../../infra/openapi/integration-guide.ts';
import { fixedParts, pairsOf, type TextTable, valuesIn } from '../support/texts/pairs.ts';

const { KEYWORD_TEXTS, PATTERN_TEXTS, FORMAT_TEXTS, ...constraintTexts } = http;
const { pattern: _pattern, format: _format, ...keywordTexts } = KEYWORD_TEXTS;
const someParams = { type: ['number', 'null'], allowedValues: ['PEN', 'ENV'], limit: 60, pattern: '', format: '' };

/** The texts of the interface, in both languages: numbers, codes and names are the same. */
const ofInterface: Readonly<Record<string, TextTable>> = {
  'the errors': texts,
  'the constraints': constraintTexts,
  'the constraints that patterns are': PATTERN_TEXTS,
  'the constraints that formats are': FORMAT_TEXTS,
  'the constraints that other keywords are': Object.fromEntries(
    Object.entries(keywordTexts).map(([keyword, textOf]) => [keyword, textOf(someParams) ?? { en: '', es: '' }]),
  ),
  'the OpenAPI document': Object.fromEntries(
    Object.entries(SPANISH_TEXTS).map(([english, spanish]) => [english, { en: english, es: spanish }]),
  ),
};

/** The texts of programs for people, in both languages: numbers may be written as each language does. */
const ofPrograms: Readonly<Record<string, TextTable>> = {
  'the reference page': pageTexts,
  'the scripts of the reference page': scriptTexts,
  'the operations on the reference page': operationNames,
  'declare-csv, about files': fileTexts,
  'declare-csv, about its options': helpTexts,
  'declare-csv, about a run': runTexts,
};

describe.each(Object.entries({ ...ofInterface, ...ofPrograms }))('the texts of %s', (_, table) => {
  it.each(pairsOf(table))('are there in both languages, with the same values: %s', (_name, { en, es }) => {
    expect([en, es].map((text) => text.trim())).not.toContain('');
    expect(es.match(/^\s*|\s*$/g), 'the same space around it').toEqual(en.match(/^\s*|\s*$/g));
    expect(valuesIn(es)).toEqual(valuesIn(en));
  });
});

describe.each(Object.entries(ofInterface))('the texts of %s', (_, table) => {
  const pairs = pairsOf(table);

  it.each(pairs)('have the same numbers, codes and names, and the same end: %s', (_name, { en, es }) => {
    expect(fixedParts(es)).toEqual(fixedParts(en));
    expect(/[.:!?]?$/.exec(es)?.[0]).toBe(/[.:!?]?$/.exec(en)?.[0]);
  });

  it('say the same thing in the same way, and leave nothing in English', () => {
    const spanish = new Map(pairs.map(([, { en, es }]) => [en, es]));
    expect(pairs.filter(([, { en, es }]) => spanish.get(en) !== es)).toEqual([]);
    expect(pairs.filter(([, { en, es }]) => en === es && en.includes(' '))).toEqual([]);
  });
});

// What the glossary calls otherwise (prestador, importe, encabezado), and words for whom one does not call usted.
const OTHER_WORDS = /\b(?:proveedor|montos?|cabeceras?|daño|vos|tú|tus?)(?![\p{L}])/iu;

describe('Spanish has one word for one thing, and calls the reader usted:', () => {
  it.each(Object.entries({ ...ofInterface, ...ofPrograms }))('the texts of %s', (_, table) => {
    const spanish = pairsOf(table).map(([, { es }]) => es.replaceAll(/`[^`]+`/g, ''));
    expect(spanish.filter((text) => OTHER_WORDS.test(text))).toEqual([]);
  });

  it('the guide', () => {
    const withoutCode = integrationGuide('es').replaceAll(/```.*?```|`[^`]+`/gs, '');
    expect(withoutCode.split('\n').filter((line) => OTHER_WORDS.test(line))).toEqual([]);
  });
});
