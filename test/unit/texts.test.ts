import { describe, expect, it } from 'vitest';
import type { Language, Text } from '../../lib/domain/language.ts';
import * as texts from '../../lib/domain/texts.ts';
import * as http from '../../lib/http/constraint-texts.ts';
import { opsTexts, rejectionTexts } from '../../infra/ops/texts/ops-texts.ts';
import { PAGE_TEXTS } from '../../infra/openapi/page/reference-page.ts';
import { fileErrors } from '../../lib/client/spreadsheets/system-errors.ts';
import { texts as spreadsheetTexts } from '../../lib/client/spreadsheets/spreadsheet-texts.ts';
import { fileTexts } from '../../lib/declare-page/file-texts.ts';
import { changeTexts, fieldTexts, outcomeTexts, pageTexts, stateTexts } from '../../lib/declare-page/page-texts.ts';
import { buildOpenApiDocument } from '../../infra/openapi/document.ts';
import { findFixedParts, listPairs, type TextTable, findPlaceholders } from '../support/texts/pairs.ts';
import { proves } from '../rules/proves.ts';
import type { RuleId } from '../rules/rules.ts';

const { KEYWORD_TEXTS, PATTERN_TEXTS, FORMAT_TEXTS, ...constraintTexts } = http;
const { pattern: _pattern, format: _format, ...keywordTexts } = KEYWORD_TEXTS;
const someParams = { type: ['number', 'null'], allowedValues: ['PEN', 'ENV'], limit: 60, pattern: '', format: '' };

/** The messages whose text the interface prescribes, with this text. */
const fixedTexts: Readonly<Record<string, readonly [exact: string, text: Text, rule: RuleId]>> = {
  'a missing tenant': ['The tenant header is required.', texts.tenantRequired, 'auth/rule-1/missing-tenant'],
  'an expired token': ['the token has expired and a new login is needed', texts.tokenExpired, 'auth/rule-1/expired'],
  'wrong credentials': ['Invalid email or password.', texts.wrongLogin, 'auth/rule-1/wrong-credentials'],
  'a user who is not active': ['User is not active', texts.userInactive, 'auth/rule-2/login'],
  'a user without a supplier': ['This endpoint requires a supplier account.', texts.supplierRequired, 'service/rule-2'],
};
const fixed = new Set(Object.values(fixedTexts).map(([, text]) => text));
const translated = Object.fromEntries(Object.entries(texts).filter(([, text]) => !fixed.has(text as Text)));

/** Returns the parts of the OpenAPI document that contain texts, without the guide. */
function readTexts(language: Language): object {
  const { info, ...document } = buildOpenApiDocument(language);
  return { ...document, title: info.title, summary: info.summary };
}

/** Returns the texts of two documents in pairs, one for each paragraph and each name of a tag. */
function pairDocumentTexts(en: unknown, es: unknown, key = ''): [string, Text][] {
  if (typeof en === 'object' && en !== null)
    return Object.entries(en).flatMap(([name, value]) =>
      name === 'value' ? [] : pairDocumentTexts(value, (es as Record<string, unknown>)[name], name),
    );
  const isText = ['title', 'summary', 'description', 'name'].includes(key) && typeof en === 'string';
  // Lists of error codes are the same in every language.
  if (!isText || /^(?:Success|[A-Z_]+)(?:, [A-Z_]+)*$/.test(en)) return [];
  const spanish = String(es).split('\n\n');
  return en.split('\n\n').map((text, index) => [text, { en: text, es: spanish[index] ?? '' }]);
}

/** The texts of the interface. Their numbers, codes and names are the same in both languages. */
const interfaceTexts: Readonly<Record<string, TextTable>> = {
  'the errors': translated,
  'the constraints': constraintTexts,
  'the constraints of patterns': PATTERN_TEXTS,
  'the constraints of formats': FORMAT_TEXTS,
  'the constraints of other keywords': Object.fromEntries(
    Object.entries(keywordTexts).map(([keyword, buildText]) => [keyword, buildText(someParams) ?? { en: '', es: '' }]),
  ),
  'the OpenAPI document': Object.fromEntries(pairDocumentTexts(readTexts('en'), readTexts('es'))),
};

/** The texts of programs. Each language can have its own format of numbers. */
const programTexts: Readonly<Record<string, TextTable>> = {
  'the reference page': PAGE_TEXTS,
  spreadsheets: spreadsheetTexts,
  'errors of files': fileErrors,
  "the operators' commands": opsTexts,
  "the operators' commands, about records": rejectionTexts,
  'the page for clerks': { ...fieldTexts, ...outcomeTexts, ...stateTexts, ...changeTexts, ...fileTexts, ...pageTexts },
};

describe('messages that the interface prescribes', () => {
  it.each(Object.entries(fixedTexts).map(([cause, [exact, text, rule]]) => ({ cause, exact, text, rule })))(
    'the message for $cause is the prescribed text in every language',
    ({ exact, text, rule }) => {
      proves(rule);
      expect(text).toEqual({ en: exact, es: exact });
    },
  );
});

describe.each(Object.entries({ ...interfaceTexts, ...programTexts }))('the texts of %s', (_, table) => {
  it.each(listPairs(table))('the text %s exists in both languages, with the same values', (_name, { en, es }) => {
    expect([en, es].map((text) => text.trim())).not.toContain('');
    expect(es.match(/^\s*|\s*$/g), 'the same space around it').toEqual(en.match(/^\s*|\s*$/g));
    expect(findPlaceholders(es)).toEqual(findPlaceholders(en));
  });
});

describe.each(Object.entries(interfaceTexts))('the texts of %s', (_, table) => {
  const pairs = listPairs(table);

  it.each(pairs)('the text %s has the same numbers, codes, names and end in both languages', (_name, { en, es }) => {
    expect(findFixedParts(es)).toEqual(findFixedParts(en));
    expect(/[.:!?]?$/.exec(es)?.[0]).toBe(/[.:!?]?$/.exec(en)?.[0]);
  });

  it('equal English texts have equal Spanish texts, and no sentence is only in English', () => {
    const spanish = new Map(pairs.map(([, { en, es }]) => [en, es]));
    expect(pairs.filter(([, { en, es }]) => spanish.get(en) !== es)).toEqual([]);
    expect(pairs.filter(([, { en, es }]) => en === es && en.includes(' '))).toEqual([]);
  });
});
