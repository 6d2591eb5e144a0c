import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldText } from '../../lib/domain/list-entry.ts';
import { proves } from '../rules/proves.ts';

/** Texts that people see as equal. A search for any of them finds the others. */
const SPELLINGS: readonly (readonly string[])[] = [
  // Case, accents (composed and decomposed), full-width and mathematical forms.
  ['a', 'A', 'á', 'Á', 'a\u0301', 'ä', 'ａ', 'Ａ', 'ª', '𝐚'],
  ['n', 'ñ', 'Ñ', 'n\u0303', 'ｎ'],
  ['i', 'I', 'í', 'İ', 'I\u0307'],
  ['5', '５', '⁵', '⑤'],
  // Letters that Unicode does not decompose, and ligatures.
  ['o', 'O', 'ø', 'Ø', 'ó', 'º', '°', '˚'],
  ['l', 'ł', 'Ł'],
  ['d', 'đ', 'Đ'],
  ['ae', 'æ', 'Æ', 'Ǽ'],
  ['oe', 'œ', 'Œ'],
  ['ss', 'ß', 'ẞ', 'SS'],
  ['fi', 'ﬁ', 'FI'],
  ['σ', 'Σ', 'ς'],
  // Punctuation and blanks.
  ['-', '‐', '‑', '‒', '–', '—', '―', '−', '－', '﹣'],
  ["'", '’', '‘', '‛', 'ʼ', 'ʹ', '′', '`', '´', '＇', '｀'],
  [' ', '\u00a0', '\u2003', '\u3000', '\t', '\n', '\r\n', '\u2028', '  '],
  ['/', '／'],
];
/** Invisible characters: soft hyphen, zero-width blanks and joiners, marks of direction, BOM. */
const INVISIBLE = ['\u00ad', '\u200b', '\u200d', '\u2060', '\u200e', '\ufeff'];

/** Generates one spelling of each token, with invisible characters between the tokens. */
const spell = (tokens: readonly number[]) =>
  fc
    .tuple(
      ...tokens.map((token) =>
        fc.tuple(
          fc.constantFrom(...(SPELLINGS[token] ?? [])),
          fc.oneof({ weight: 3, arbitrary: fc.constant('') }, fc.constantFrom(...INVISIBLE)),
        ),
      ),
    )
    .map((parts) => parts.flat().join(''));

/** Generates a text, and another spelling of a part of the text. */
const textAndPart = fc.array(fc.nat({ max: SPELLINGS.length - 1 }), { minLength: 1, maxLength: 12 }).chain((tokens) =>
  fc.tuple(fc.nat({ max: tokens.length }), fc.nat({ max: tokens.length })).chain((ends) => {
    const [start, end] = [Math.min(...ends), Math.max(...ends)];
    return fc.record({ text: spell(tokens), part: spell(tokens.slice(start, end)) });
  }),
);

it('a text is found by each part of it, in every spelling that people see as equal', () => {
  proves('list-invoices/search');
  fc.assert(
    fc.property(textAndPart, ({ text, part }) => {
      expect(foldText(text)).toContain(foldText(part));
    }),
    { numRuns: 3_000 },
  );
});

it('a text of any characters is found by each of its substrings, and folding it again changes nothing', () => {
  const characters = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), { maxLength: 12 });
  fc.assert(
    fc.property(characters, fc.nat({ max: 12 }), fc.nat({ max: 12 }), (text, start, end) => {
      const folded = foldText(text.join(''));
      expect(folded).toContain(foldText(text.slice(start, end).join('')));
      expect(foldText(folded)).toBe(folded);
    }),
    { numRuns: 3_000, examples: [[['Ο', 'Δ', 'Ο', 'Σ', ' '], 1, 4]] },
  );
});

it('foldText folds each character to a text that it does not change again', () => {
  const changed: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    const folded = foldText(String.fromCodePoint(code));
    if (foldText(folded) !== folded) changed.push(code.toString(16));
  }
  expect(changed).toEqual([]);
});

it.each([
  ['Córdoba', 'cordoba'],
  ['Güemes Ñuñoa', 'guemes nunoa'],
  ['FAC-0001/a', 'fac-0001/a'],
  ['N° 5 – O’Higgins', "no 5 - o'higgins"],
  ['Straße Ørsted Łódź Đorđe', 'strasse orsted lodz dorde'],
  ['two\tlines\r\nof text', 'two lines of text'],
  ['', ''],
])('foldText converts %j to %j', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

it.each([
  ['cordoba', 'córdova'],
  ['a-b', 'ab'],
  ["o'higgins", 'ohiggins'],
  ['two words', 'twowords'],
  ['5', '6'],
])('foldText keeps the difference between %j and %j', (one, other) => {
  expect(foldText(one)).not.toBe(foldText(other));
});
