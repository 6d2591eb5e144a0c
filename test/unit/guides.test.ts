import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { routes, signingKeyRotation } from '../../infra/routes.ts';
import { blockAfter, guideText, sectionOf } from '../support/guides/readme.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const guides = globSync(['README.md', '{lib,infra,test}/**/*.md'], { cwd: root });
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };

const exists = (path: string) => globSync(path, { cwd: root }).length > 0;

/** The anchors of the headings of a guide, as GitHub makes them. */
function anchorsOf(guide: string): string[] {
  const headings = [...guideText(guide).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The tests that the promises of the section Security of lib's guide name, each at its end. */
function testsOfPromises(): string[] {
  const promises = sectionOf('lib/README.md', 'Security').split('\n- ').slice(1);
  return promises.flatMap((promise) => {
    const [, tests] = promise.split(/\bTests:\s/);
    if (tests === undefined) throw new Error(`No tests show that: ${promise}`);
    const [item = ''] = tests.split('\n\n');
    return [...item.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  });
}

/** The relative links of a guide that lead nowhere. */
function brokenLinks(guide: string): string[] {
  const links = [...guideText(guide).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    if (/^\w+:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? guide : join(dirname(guide), path);
    return !exists(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
  });
}

describe('the guides', () => {
  it('begin with one that is read in a few minutes', () => {
    expect(guideText('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(200);
  });

  it.each(guides)('%s has no line over 120 characters', (guide) => {
    const lines = guideText(guide).split('\n');
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });

  it.each(guides)('%s names only links, files, folders and npm scripts that there are', (guide) => {
    const text = guideText(guide);
    const paths = text.match(/(?<![\w./-])(?:functions|lib|infra|test)\/[\w./*-]*[\w*]/g) ?? [];
    const called = [...text.matchAll(/\bnpm run (?:-s )?([\w-]+(?::[\w-]+)*)/g)].map(([, name = '']) => name);
    expect({
      links: brokenLinks(guide),
      paths: paths.filter((path) => !exists(path)),
      scripts: called.filter((name) => !(name in scripts)),
    }).toEqual({ links: [], paths: [], scripts: [] });
    // npm would write before what ops prints.
    expect(text).not.toContain('npm run ops --');
  });

  it('show in the picture which tables each function may reach', () => {
    const picture = blockAfter('README.md', 'Supplier Portal Invoice Service', 'mermaid');
    const nodes = [...picture.matchAll(/^ +(\w+)\[([\w<>-]+)\]$/gm)];
    const arrows = [...picture.matchAll(/^ +([\w &]+) --> ([\w &]+)$/gm)];
    for (const { name, tables } of [...routes, signingKeyRotation]) {
      const [, node = ''] = nodes.find(([, , label = '']) => label.split('<br>').includes(name)) ?? [];
      const reached = arrows.flatMap(([, from = '', to = '']) =>
        from.split(' & ').includes(node) ? to.split(' & ') : [],
      );
      const permitted = Object.keys(tables).map((area) => area.split('/')[0]);
      expect(new Set(reached), name).toEqual(new Set(permitted));
    }
  });

  it('name tests that there are for every promise of security', () => {
    const named = testsOfPromises().filter((name) => !name.startsWith('npm '));
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !exists(`test/**/${name}.test.ts`))).toEqual([]);
  });

  it('list every folder of lib', () => {
    const folders = readdirSync(join(root, 'lib'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const listed = [...sectionOf('lib/README.md', 'Folders').matchAll(/^\| `lib\/([\w-]+)`/gm)].map(([, name]) => name);
    expect(new Set(listed)).toEqual(new Set(folders.map(({ name }) => name)));
  });
});
