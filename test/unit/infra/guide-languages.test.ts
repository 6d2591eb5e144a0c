import { expect, it } from 'vitest';
import { LANGUAGES } from '../../../lib/domain/language.ts';
import { buildOpenApiDocument } from '../../../infra/openapi/document.ts';
import { readGuideWithoutTitle } from '../../../infra/openapi/published-documents.ts';

const BLOCK = /^```.*?^```\n/gms;
const [english, spanish] = LANGUAGES.map(readGuideWithoutTitle) as [string, string];

/** Returns the code blocks of a guide without comments. */
function listCodeBlocks(guide: string): string[] {
  return [...guide.matchAll(BLOCK)].map(([block]) => block.replaceAll(/ *# .*$/gm, ''));
}

it('the Spanish guide has the same code blocks as the English guide, except for comments', () => {
  expect(listCodeBlocks(spanish)).toEqual(listCodeBlocks(english));
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

const documents = LANGUAGES.map((language) => buildOpenApiDocument(language));

it('the OpenAPI document begins with the guide of its language, and else differs only in its texts', () => {
  expect(documents.map(({ info }) => info.description)).toEqual([english, spanish]);
  const [inEnglish, inSpanish] = documents.map(withoutTexts);
  expect(inSpanish).toEqual(inEnglish);
});
