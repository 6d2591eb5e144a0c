import { describe, expect, it } from 'vitest';
import { shellBlocks } from '../support/guides/shell-blocks.ts';

// What an interactive shell takes otherwise than a script: `npm run test:guides` pastes every block to see.
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

describe('a shell block of a guide can be pasted', () => {
  it.each(shellBlocks().filter(({ shells }) => shells.length > 1))('$place', ({ text }) => {
    expect(trapsIn(text)).toEqual([]);
  });

  it.each([
    ['npm start   # the service', 'comment'],
    ['echo "Demo-2026!"', 'exclamation'],
    ['portal() { curl "${@:2}"; }', 'slice'],
    ['ITEMS=(a b)', 'array'],
    ['[[ -f a ]] && true', 'only bash'],
    ['curl http://127.0.0.1:3000/a?b=c', 'pattern'],
    ['pip install moto[all]', 'pattern'],
    ['ls *.csv', 'pattern'],
    ['echo =ls', 'begins with ='],
  ])('unless it has a trap (%s: %s)', (text, name) => {
    expect(trapsIn(text)).toEqual([expect.stringContaining(name)]);
  });

  it.each(["echo 'Demo-2026! # [*?]'", 'echo "a#b [c]?"', 'npm run a -- --x=y#z', 'echo $((1 + 1)) "$@" "$1"'])(
    'with %s',
    (text) => {
      expect(trapsIn(text)).toEqual([]);
    },
  );
});
