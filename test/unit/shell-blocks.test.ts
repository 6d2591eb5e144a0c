import { expect, it } from 'vitest';
import { shellBlocks } from '../support/guides/shell-blocks.ts';

// What an interactive shell takes otherwise than a script: `npm run test:extra -- guides` pastes every block to see.
const TRAPS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a comment, which zsh takes as words', /(?:^|\s)#/m],
  ['an exclamation mark, which bash and zsh take as history', /!/],
  ['an array or a slice, which dash does not have', /=\(|\$\{\w*@|\$\{\w+[:[]/],
  ['what only bash and zsh have', /\[\[|<<<|&>|<\(|\$'|^\s*(?:function|source|declare|local)\s/m],
  ['a pattern, which zsh refuses when no file matches', /[?*]|(?<!\[)\[(?!\[)/],
  ['a word that begins with =, which zsh takes as a command', /\s=/],
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

it.each(shellBlocks().filter(({ shells }) => shells.length > 1))(
  'the shell block of a guide can be pasted: $place',
  ({ text }) => {
    expect(trapsIn(text)).toEqual([]);
  },
);

it('a block is refused for each trap in it, and for none in quotes', () => {
  const traps = 'npm start   # "Demo-2026!"\nITEMS=(a b)\n[[ -f a ]]\nls *.csv\necho =ls\t';
  expect(trapsIn(traps)).toEqual(TRAPS.map(([name]) => name));
  expect(trapsIn(`echo 'Demo-2026! # [*?]' "a#b [c]?" --x=y#z $((1 + 1)) "$@" "$1"`)).toEqual([]);
});
