import { describe, expect, it } from 'vitest';
import type { Language, Text } from '../../lib/domain/language.ts';
import * as texts from '../../lib/domain/texts.ts';
import * as http from '../../lib/http/constraint-texts.ts';
import { pageTexts } from '../../infra/openapi/page/reference-page.ts';
import { texts as spreadsheetTexts } from '../../lib/client/spreadsheets/spreadsheet-texts.ts';
import { fileTexts, runTexts } from '../../lib/client/examples/declare-csv/run-texts.ts';
import { helpTexts } from '../../lib/client/examples/declare-csv/program.ts';
import { readIntegrationGuide, readDocument } from '../../infra/openapi/published-documents.ts';
import { fixedParts, pairsOf, type TextTable, valuesIn } from '../support/texts/pairs.ts';

const { KEYWORD_TEXTS, PATTERN_TEXTS, FORMAT_TEXTS, ...constraintTexts } = http;
const { pattern: _pattern, format: _format, ...keywordTexts } = KEYWORD_TEXTS;
const someParams = { type: ['number', 'null'], allowedValues: ['PEN', 'ENV'], limit: 60, pattern: '', format: '' };

/** The messages that the interface words, as it words them. */
const worded: Readonly<Record<string, readonly [words: string, text: Text, rule: string]>> = {
  'a missing tenant': ['The tenant header is required.', texts.tenantRequired, 'auth/rule-1/missing-tenant'],
  'an expired token': ['the token has expired and a new login is needed', texts.tokenExpired, 'auth/rule-1/expired'],
  'wrong credentials': ['Invalid email or password.', texts.wrongLogin, 'auth/rule-1/wrong-credentials'],
  'a user who is not active': ['User is not active', texts.userInactive, 'auth/rule-2/login'],
  'a user without a supplier': ['This endpoint requires a supplier account.', texts.supplierRequired, 'service/rule-2'],
};
const fixed = new Set(Object.values(worded).map(([, text]) => text));
const translated = Object.fromEntries(Object.entries(texts).filter(([, text]) => !fixed.has(text as Text)));

/** Returns the parts of the OpenAPI document that contain texts, without the guide. */
function readTexts(language: Language): object {
  const { info, ...document } = readDocument(language);
  return { ...document, title: info.title, summary: info.summary };
}

/** Returns the texts of two documents in pairs: their paragraphs, and the names of their tags. */
function documentPairs(en: unknown, es: unknown, key = ''): [string, Text][] {
  if (typeof en === 'object' && en !== null)
    return Object.entries(en).flatMap(([name, value]) =>
      name === 'value' ? [] : documentPairs(value, (es as Record<string, unknown>)[name], name),
    );
  const isText = ['title', 'summary', 'description', 'name'].includes(key) && typeof en === 'string';
  // Lists of error codes are the same in every language.
  if (!isText || /^(?:Success|[A-Z_]+)(?:, [A-Z_]+)*$/.test(en)) return [];
  const spanish = String(es).split('\n\n');
  return en.split('\n\n').map((text, index) => [text, { en: text, es: spanish[index] ?? '' }]);
}

/** The texts of the interface, in both languages: numbers, codes and names are the same. */
const ofInterface: Readonly<Record<string, TextTable>> = {
  'the errors': translated,
  'the constraints': constraintTexts,
  'the constraints that patterns are': PATTERN_TEXTS,
  'the constraints that formats are': FORMAT_TEXTS,
  'the constraints that other keywords are': Object.fromEntries(
    Object.entries(keywordTexts).map(([keyword, textOf]) => [keyword, textOf(someParams) ?? { en: '', es: '' }]),
  ),
  'the OpenAPI document': Object.fromEntries(documentPairs(readTexts('en'), readTexts('es'))),
};

/** The texts of programs for people, in both languages: numbers may be written as each language does. */
const ofPrograms: Readonly<Record<string, TextTable>> = {
  'the reference page': pageTexts,
  spreadsheets: spreadsheetTexts,
  'declare-csv, about files': fileTexts,
  'declare-csv, about its options': helpTexts,
  'declare-csv, about a run': runTexts,
};

describe('a message that the interface words', () => {
  it.each(Object.entries(worded).map(([cause, [words, text, rule]]) => ({ cause, words, text, rule })))(
    'is those words in every language: $cause [$rule]',
    ({ words, text }) => {
      expect(text).toEqual({ en: words, es: words });
    },
  );

  it('is one of these, and every other has a Spanish that differs', () => {
    expect(pairsOf(translated).filter(([, { en, es }]) => en === es)).toEqual([]);
  });
});

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
    const withoutCode = readIntegrationGuide('es').replaceAll(/```.*?```|`[^`]+`/gs, '');
    expect(withoutCode.split('\n').filter((line) => OTHER_WORDS.test(line))).toEqual([]);
  });
});
