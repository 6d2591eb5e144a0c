import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { sectionOf } from '../../support/guides/readme.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The tests that the promises of the section name, each at its end. */
function namedTests(): string[] {
  const promises = sectionOf('lib/README.md', 'Security').split('\n- ').slice(1);
  return promises.flatMap((promise) => {
    const [, tests] = promise.split(/\bTests:\s/);
    if (tests === undefined) throw new Error(`No tests show that: ${promise}`);
    const [item = ''] = tests.split('\n\n');
    return [...item.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  });
}

it('the section Security of the guide of lib names for every promise tests that there are', () => {
  const tests = globSync('test/**/*.test.ts', { cwd: root }).map((file) => basename(file, '.test.ts'));
  const named = namedTests().filter((name) => !name.startsWith('npm '));
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((name) => !tests.includes(name))).toEqual([]);
});
