import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readGuide } from '../support/guides/readme.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The code blocks of all guides, with the guide and the line where each block begins. */
const blocks = globSync(['README.md', '{lib,infra,test}/**/*.md'], { cwd: root }).flatMap((guide) =>
  [...readGuide(guide).matchAll(/^ *```(\w+)\n(.*?)^ *```$/gms)].map(
    ({ index, input, 1: label = '', 2: text = '' }) => {
      return { place: `${guide}:${input.slice(0, index).split('\n').length}`, label, text };
    },
  ),
);

// Syntax that an interactive shell interprets differently from a script, or that not all shells have.
const NOT_PORTABLE: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a comment, which zsh interprets as words', /(?:^|\s)#/m],
  ['an exclamation mark, which bash and zsh interpret as history', /!/],
  ['an array or a slice, which dash does not have', /=\(|\$\{\w*@|\$\{\w+[:[]/],
  ['syntax that only bash and zsh have', /\[\[|<<<|&>|<\(|\$'|^\s*(?:function|source|declare|local)\s/m],
  ['a pattern, which zsh rejects if no file matches', /[?*]|(?<!\[)\[(?!\[)/],
  ['a word that begins with =, which zsh interprets as a command', /\s=/],
  ['a tab, which completes names', /\t/],
];

/** Removes the text in single quotes, which no shell interprets. */
const removeSingleQuoted = (text: string) => text.replaceAll(/'[^']*'/g, "''");

const removeQuoted = (text: string) => removeSingleQuoted(text).replaceAll(/"[^"]*"/g, '""');

function findNotPortable(text: string): string[] {
  const isActiveInQuotes = (name: string) => /history|dash|tab/.test(name);
  const found = NOT_PORTABLE.filter(([name, pattern]) =>
    pattern.test(isActiveInQuotes(name) ? removeSingleQuoted(text) : removeQuoted(text)),
  );
  return found.map(([name]) => name);
}

it.each(blocks.filter(({ label }) => label === 'sh'))(
  'the block at $place works when it is pasted into bash, zsh or dash',
  ({ text }) => {
    expect(findNotPortable(text)).toEqual([]);
  },
);

it('every block for a shell has the label sh, or bash or zsh if only that shell runs it', () => {
  const others = blocks.filter(({ label }) => /^(?:shell|console|shellsession|terminal)$/.test(label));
  expect(others).toEqual([]);
});

it('every syntax that is not portable is detected, except in quotes', () => {
  const block = 'npm start   # "Demo-2026!"\nITEMS=(a b)\n[[ -f a ]]\nls *.csv\necho =ls\t';
  expect(findNotPortable(block)).toEqual(NOT_PORTABLE.map(([name]) => name));
  expect(findNotPortable(`echo 'Demo-2026! # [*?]' "a#b [c]?" --x=y#z $((1 + 1)) "$@" "$1"`)).toEqual([]);
});
