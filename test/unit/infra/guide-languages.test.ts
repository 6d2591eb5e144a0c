import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../lib/domain/language.ts';
import { integrationGuide, readDocument } from '../../../infra/openapi/read-document.ts';
import { mapTexts, toSpanish } from '../../../infra/openapi/spanish/translate.ts';
import { fixedParts } from '../../support/texts/pairs.ts';

const BLOCK = /^```.*?^```\n/gms;
const [english, spanish] = LANGUAGES.map(integrationGuide) as [string, string];

/** The blocks of code, without their comments. */
function blocksOf(guide: string): string[] {
  return [...guide.matchAll(BLOCK)].map(([block]) => block.replaceAll(/ *# .*$/gm, ''));
}

/** What each heading, paragraph, item of a list and row of a table begins with, and what of it no language changes. */
function outlineOf(guide: string): [mark: string, ...parts: string[]][] {
  const unwrapped = guide.replaceAll(BLOCK, '').replaceAll(/\n *(?![\s|#-]|\d+\. )/g, ' ');
  const lines = unwrapped.split('\n').filter((line) => line !== '' && !/^\|[ |:-]+$/.test(line));
  return lines.map((line) => [/^(?:#+| *-|\d+\.|\|)? ?/.exec(line)![0], ...fixedParts(line)]);
}

describe('the guide in Spanish', () => {
  it('has the blocks of code of the English one, but for their comments', () => {
    expect(blocksOf(spanish)).toEqual(blocksOf(english));
  });

  it('has its headings, paragraphs, lists and tables, with the same code words, names and numbers', () => {
    expect(outlineOf(english).length).toBeGreaterThan(50);
    expect(outlineOf(spanish)).toEqual(outlineOf(english));
  });
});

interface Info {
  readonly info: { readonly description: string };
}

/** A document without its texts, and without the messages in its examples. */
function withoutTexts(document: object): string[] {
  const withoutMessages = (key: string, value: unknown) => {
    if (key === 'constraints' && !('type' in (value as object))) return Object.keys(value as object);
    return key === 'message' && typeof value === 'string' ? '' : value;
  };
  const withoutAny = mapTexts(document, () => '');
  return JSON.stringify(withoutAny, withoutMessages, 1).replaceAll('\\n', '').split('\n');
}

describe('the OpenAPI document in Spanish', () => {
  const documents = LANGUAGES.map((language) => readDocument(language) as Info) as [Info, Info];

  it('begins with the guide of its language, and else differs in its texts alone, not even in an order', () => {
    expect(documents.map(({ info }) => info.description)).toEqual([english, spanish]);
    const [inEnglish, inSpanish] = documents.map(withoutTexts);
    expect(inSpanish).toEqual(inEnglish);
  });

  it('cannot be made while a text has no Spanish, and keeps the codes of errors', () => {
    expect(() => toSpanish('A new field')).toThrow('This text needs its Spanish in infra/openapi/spanish: A new field');
    expect(toSpanish('Success, NOT_FOUND')).toBe('Éxito, NOT_FOUND');
    expect(toSpanish('UNAUTHORIZED, TOKEN_EXPIRED')).toBe('UNAUTHORIZED, TOKEN_EXPIRED');
  });
});
