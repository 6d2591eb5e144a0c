import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readGuide } from '../support/guides/readme.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The blocks of code of all guides, with the guide and the line where each begins. */
const blocks = globSync(['README.md', '{lib,infra,test}/**/*.md'], { cwd: root }).flatMap((guide) =>
  [...readGuide(guide).matchAll(/^ *```(\w+)\n(.*?)^ *```$/gms)].map(
    ({ index, input, 1: label = '', 2: text = '' }) => {
      return { place: `${guide}:${input.slice(0, index).split('\n').length}`, label, text };
    },
  ),
);

// An interactive shell interprets these differently from a script, or not all shells have them.
const TRAPS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a comment, which zsh interprets as words', /(?:^|\s)#/m],
  ['an exclamation mark, which bash and zsh interpret as history', /!/],
  ['an array or a slice, which dash does not have', /=\(|\$\{\w*@|\$\{\w+[:[]/],
  ['syntax that only bash and zsh have', /\[\[|<<<|&>|<\(|\$'|^\s*(?:function|source|declare|local)\s/m],
  ['a pattern, which zsh rejects if no file matches', /[?*]|(?<!\[)\[(?!\[)/],
  ['a word that begins with =, which zsh interprets as a command', /\s=/],
  ['a tab, which completes names', /\t/],
];

/** The text without what stands in single quotes, which every shell takes as it is. */
const unquoted = (text: string) => text.replaceAll(/'[^']*'/g, "''");

const bare = (text: string) => unquoted(text).replaceAll(/"[^"]*"/g, '""');

function trapsIn(text: string): string[] {
  const isQuoted = (name: string) => /history|dash|tab/.test(name);
  const found = TRAPS.filter(([name, pattern]) => pattern.test(isQuoted(name) ? unquoted(text) : bare(text)));
  return found.map(([name]) => name);
}

it.each(blocks.filter(({ label }) => label === 'sh'))(
  'the block at $place works when it is pasted into bash, zsh or dash',
  ({ text }) => {
    expect(trapsIn(text)).toEqual([]);
  },
);

it('every block for a shell has the label sh, or bash or zsh if only that shell runs it', () => {
  const others = blocks.filter(({ label }) => /^(?:shell|console|shellsession|terminal)$/.test(label));
  expect(others).toEqual([]);
});

it('each trap in a block is detected, except in quotes', () => {
  const traps = 'npm start   # "Demo-2026!"\nITEMS=(a b)\n[[ -f a ]]\nls *.csv\necho =ls\t';
  expect(trapsIn(traps)).toEqual(TRAPS.map(([name]) => name));
  expect(trapsIn(`echo 'Demo-2026! # [*?]' "a#b [c]?" --x=y#z $((1 + 1)) "$@" "$1"`)).toEqual([]);
});
