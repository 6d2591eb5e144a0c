import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = globSync('{functions,infra,lib,test}/**/*.{ts,js}', { cwd: root });

// The path in an address is encoded: `mi año` is `mi%20a%C3%B1o` there, which is another folder.
it('no source takes the path in its own address for a path of the disk', () => {
  expect(sources.length).toBeGreaterThan(500);
  const faulty = sources.filter((source) =>
    /import\.meta\.url\)\.pathname/.test(readFileSync(`${root}${source}`, 'utf8')),
  );
  expect(faulty).toEqual([]);
});
