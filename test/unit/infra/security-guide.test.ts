import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = new URL('../../../', import.meta.url).pathname;

/** The tests that the section Security of README.md names. */
function namedTests(): string[] {
  const readme = readFileSync(`${root}README.md`, 'utf8');
  const [section = ''] = readme.slice(readme.indexOf('\n## Security\n')).split('\n## Tests\n');
  const lastCells = [...section.matchAll(/^\|.*\|([^|\n]+)\|$/gm)].map(([, cell = '']) => cell);
  const names = lastCells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  return names.filter((name) => !name.startsWith('npm '));
}

describe('the section Security of README.md', () => {
  it('names only tests that there are', () => {
    const tests = globSync('test/**/*.test.ts', { cwd: root }).map((file) => basename(file, '.test.ts'));
    const named = namedTests();
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !tests.includes(name))).toEqual([]);
  });
});
