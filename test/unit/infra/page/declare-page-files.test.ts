import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { buildDeclarePageFiles } from '../../../../infra/declare-page/page-files.ts';

const files = buildDeclarePageFiles();
const read = (name: string) => files[name]!();

it('the scripts of the page for clerks are built, and have at most 110 KB with gzip', () => {
  const scripts = ['page.js', 'read-worker.js', 'shared.js'].map(read);
  expect(scripts.map((script) => script.length > 200)).toEqual([true, true, true]);
  const sizes = [...scripts, read('page.css')].map((text) => gzipSync(text).length);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(110_000);
});

it('the page for clerks lists the licence of each package in its scripts', () => {
  const titles = read('licences.md').match(/^# .+/gm);
  expect(titles?.toSorted()).toEqual(
    ['big.js', 'csv-parse', 'fflate', 'preact', 'read-excel-file', 'write-excel-file'].map((name) => `# ${name}`),
  );
});

it('every file that the page and its guides name exists', () => {
  for (const name of ['index.html', 'guide.en.html', 'guide.es.html']) {
    const html = read(name);
    const names = Array.from(html.matchAll(/(?:href|src)="([^"#:]+)"/g), ([, path]) => path);
    expect(names.filter((path) => files[path ?? ''] === undefined)).toEqual([]);
    expect(html.match(/src="data:image\/png;base64,[\w+/]{100}/g)?.length ?? 0).toBe(name === 'index.html' ? 0 : 2);
  }
});
