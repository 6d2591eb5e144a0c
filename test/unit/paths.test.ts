import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = globSync('{functions,infra,lib,test}/**/*.{ts,js}', { cwd: root });

// The path of a URL is encoded: the folder `mi año` would become `mi%20a%C3%B1o`, which is another folder.
it('no source file uses the pathname of import.meta.url as a file path', () => {
  expect(sources.length).toBeGreaterThan(500);
  const wrong = sources.filter((source) =>
    /import\.meta\.url\)\.pathname/.test(readFileSync(`${root}${source}`, 'utf8')),
  );
  expect(wrong).toEqual([]);
});
