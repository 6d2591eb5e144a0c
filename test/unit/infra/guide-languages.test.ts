import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../lib/domain/language.ts';
import { readIntegrationGuide, readDocument } from '../../../infra/openapi/published-documents.ts';
import { translateDescription } from '../../../infra/openapi/schemas.ts';
import { fixedParts } from '../../support/texts/pairs.ts';

const BLOCK = /^```.*?^```\n/gms;
const [english, spanish] = LANGUAGES.map(readIntegrationGuide) as [string, string];

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

/** Returns the lines of a document without its texts for people, and without the messages in its examples. */
function withoutTexts(document: object): string[] {
  const text = JSON.stringify(
    document,
    (key, value: unknown) => {
      if (key === 'tags') return (value as readonly object[]).length;
      if (key === 'constraints' && !('type' in (value as object))) return Object.keys(value as object);
      const isText = ['title', 'summary', 'description', 'message'].includes(key);
      return isText && typeof value === 'string' ? '' : value;
    },
    1,
  );
  return text.split('\n');
}

describe('the OpenAPI document in Spanish', () => {
  const documents = LANGUAGES.map((language) => readDocument(language));

  it('begins with the guide of its language, and else differs in its texts alone, not even in an order', () => {
    expect(documents.map(({ info }) => info.description)).toEqual([english, spanish]);
    const [inEnglish, inSpanish] = documents.map(withoutTexts);
    expect(inSpanish).toEqual(inEnglish);
  });

  it('cannot be made while a description of a contract has no Spanish', () => {
    expect(() => translateDescription('A new field', 'es')).toThrow('A new field');
    expect(translateDescription('A new field', 'en')).toBe('A new field');
  });
});
