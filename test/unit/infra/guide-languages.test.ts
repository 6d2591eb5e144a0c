import { expect, it } from 'vitest';
import { LANGUAGES } from '../../../lib/domain/language.ts';
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
