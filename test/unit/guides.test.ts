import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readGuide, readSection } from '../support/guides/readme.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const guides = globSync(['README.md', '{lib,infra,test}/**/*.md'], { cwd: root });
const workflows = globSync('.github/workflows/*.yml', { cwd: root });
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };

const exists = (path: string) => globSync(path, { cwd: root }).length > 0;

/** Returns the anchors that GitHub creates for the headings of a guide. */
function listAnchors(guide: string): string[] {
  const headings = [...readGuide(guide).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Returns the relative links of a guide whose target does not exist. */
function findBrokenLinks(guide: string): string[] {
  const links = [...readGuide(guide).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    if (/^\w+:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? guide : join(dirname(guide), path);
    return !exists(target) || (anchor !== undefined && !listAnchors(target).includes(anchor));
  });
}

it.each([...guides, ...workflows])('%s names only links, files, folders and npm scripts that exist', (guide) => {
  const text = readGuide(guide);
  const paths = text.match(/(?<![\w./-])(?:functions|lib|infra|test)\/[\w./*-]*[\w*]/g) ?? [];
  const calledScripts = [...text.matchAll(/\bnpm run (?:-s )?([\w-]+(?::[\w-]+)*)/g)].map(([, name = '']) => name);
  expect({
    links: findBrokenLinks(guide),
    // The evidence for ASVS names tests by their paths in the folder `test`, without their ends.
    paths: paths.filter((path) => !exists(path) && !exists(`test/${path}.test.ts`)),
    scripts: calledScripts.filter((name) => !(name in scripts)),
  }).toEqual({ links: [], paths: [], scripts: [] });
  // npm would print its own lines before the output of ops.
  expect(text).not.toContain('npm run ops --');
});

it('README.md names every npm script', () => {
  // npm runs the scripts that begin with `pre` itself.
  const names = Object.keys(scripts).filter((name) => !name.startsWith('pre'));
  const groups = readSection('README.md', 'Development');
  expect(names.filter((name) => !new RegExp(`\`(?:npm run )?${name}[\` ]`).test(groups))).toEqual([]);
});

it('lib/asvs.md names only tests that exist', () => {
  const names = [...readGuide('lib/asvs.md').matchAll(/`(\w+(?:\/[\w-]+)+)`/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(25);
  expect(names.filter((name) => !exists(`test/${name}.test.ts`) && !exists(name))).toEqual([]);
});
