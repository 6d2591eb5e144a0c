import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../lib/domain/language.ts';
import { integrationGuide } from '../../../infra/openapi/read-document.ts';
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
