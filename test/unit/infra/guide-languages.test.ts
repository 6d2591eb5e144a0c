import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../lib/domain/language.ts';
import { readGuideWithoutTitle, readDocument } from '../../../infra/openapi/published-documents.ts';
import { translateDescription } from '../../../infra/openapi/schemas.ts';
import { findFixedParts } from '../../support/texts/pairs.ts';

const BLOCK = /^```.*?^```\n/gms;
const [english, spanish] = LANGUAGES.map(readGuideWithoutTitle) as [string, string];

/** Returns the code blocks of a guide without comments. */
function listCodeBlocks(guide: string): string[] {
  return [...guide.matchAll(BLOCK)].map(([block]) => block.replaceAll(/ *# .*$/gm, ''));
}

/** Returns the marker of each heading, paragraph, list item and table row, and its parts that are never translated. */
function buildOutline(guide: string): [mark: string, ...parts: string[]][] {
  const unwrapped = guide.replaceAll(BLOCK, '').replaceAll(/\n *(?![\s|#-]|\d+\. )/g, ' ');
  const lines = unwrapped.split('\n').filter((line) => line !== '' && !/^\|[ |:-]+$/.test(line));
  return lines.map((line) => [/^(?:#+| *-|\d+\.|\|)? ?/.exec(line)![0], ...findFixedParts(line)]);
}

describe('the guide in Spanish', () => {
  it('the Spanish guide has the same code blocks as the English guide, except for comments', () => {
    expect(listCodeBlocks(spanish)).toEqual(listCodeBlocks(english));
  });

  it('the Spanish guide has the same outline, code words, names and numbers as the English guide', () => {
    expect(buildOutline(english).length).toBeGreaterThan(50);
    expect(buildOutline(spanish)).toEqual(buildOutline(english));
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

  it('the OpenAPI document begins with the guide of its language, and else differs only in its texts', () => {
    expect(documents.map(({ info }) => info.description)).toEqual([english, spanish]);
    const [inEnglish, inSpanish] = documents.map(withoutTexts);
    expect(inSpanish).toEqual(inEnglish);
  });

  it('translateDescription throws an error for a description without a Spanish text', () => {
    expect(() => translateDescription('A new field', 'es')).toThrow('A new field');
    expect(translateDescription('A new field', 'en')).toBe('A new field');
  });
});
