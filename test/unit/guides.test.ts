import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { removeMarks } from '../../infra/openapi/published-documents.ts';
import { contracts, routes, signingKeyRotation } from '../../infra/routes.ts';
import { toExportName } from '../../infra/generate/validator-source.ts';
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

/** Returns the items of the list of ASVS requirements in lib's guide, with the tests that they name. */
function readAsvsItems(): { item: string; tests: string[] }[] {
  const items = sectionOf('lib/README.md', 'Security')
    .split(/\n\n|\n(?=- )/)
    .filter((text) => /^- \*\*\d/.test(text));
  return items.map((item) => ({
    item,
    tests: [...item.matchAll(/`(\w+(?:\/[\w-]+)+)`/g)].map(([, name = '']) => name),
  }));
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
    expect(guideText('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(180);
  });

  it.each(guides)('%s has no line over 120 characters', (guide) => {
    // The marks of limits are not visible, and they widen the columns of their tables.
    const lines = guideText(guide).split('\n');
    const visible = lines.map((line) => removeMarks(line).replaceAll(/(?<=^\|.*)(?: +|-{3,})/g, ' '));
    expect(visible.filter((line) => line.length > 120)).toEqual([]);
  });

  it.each(guides)('%s names only links, files, folders and npm scripts that there are', (guide) => {
    const text = guideText(guide);
    // The evidence of ASVS names tests by shorter paths, which have a test of their own.
    const withoutEvidence = text.replace(/^### ASVS.*?(?=^## )/ms, '');
    const paths = withoutEvidence.match(/(?<![\w./-])(?:functions|lib|infra|test)\/[\w./*-]*[\w*]/g) ?? [];
    const called = [...text.matchAll(/\bnpm run (?:-s )?([\w-]+(?::[\w-]+)*)/g)].map(([, name = '']) => name);
    expect({
      links: brokenLinks(guide),
      paths: paths.filter((path) => !exists(path)),
      scripts: called.filter((name) => !(name in scripts)),
    }).toEqual({ links: [], paths: [], scripts: [] });
    // npm would write before what ops prints.
    expect(text).not.toContain('npm run ops --');
  });

  it('no guide lets npx fetch a package from a registry, except generators of clients that others publish', () => {
    const fetched = guides.flatMap((guide) => [...guideText(guide).matchAll(/npx (?!--no-install )(\S+)/g)]);
    const generators = ['openapi-typescript', '@hey-api/openapi-ts', 'orval'];
    expect(fetched.map(([, name]) => name)).toEqual(generators);
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

  it('name an existing test, a document or a reason for every ASVS requirement', () => {
    const items = readAsvsItems();
    expect(items.length).toBeGreaterThan(25);
    expect(items.flatMap(({ tests }) => tests).filter((name) => !exists(`test/${name}.test.ts`))).toEqual([]);
    const reason = /\]\(|npm run|[Dd]eployer|not applicable|not met|linter|list of data/;
    const unproven = items.filter(({ tests, item }) => tests.length === 0 && !reason.test(item));
    expect(unproven).toEqual([]);
  });

  it('name an existing file or folder for each change in the table of the README', () => {
    const rows = [...sectionOf('README.md', 'Where to make a change').matchAll(/^\| (?!To change|-)(.+?) +\| (.+)$/gm)];
    expect(rows.length).toBeGreaterThanOrEqual(10);
    const pathsOf = (cell = '') =>
      [...cell.matchAll(/`((?:functions|lib|infra)\/[^`]+)`/g)].map(([, path = '']) => path);
    const wrong = rows.filter(([, , edit]) => pathsOf(edit).length === 0 || !pathsOf(edit).every(exists));
    expect(wrong.map(([, change]) => change)).toEqual([]);
  });

  it('list every folder of lib', () => {
    const folders = readdirSync(join(root, 'lib'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const listed = [...sectionOf('lib/README.md', 'Layers').matchAll(/^lib\/([\w-]+) /gm)].map(([, name]) => name);
    expect(new Set(listed)).toEqual(new Set(folders.map(({ name }) => name)));
  });
});

describe('the list of the files of an endpoint', () => {
  const listed = [...sectionOf('README.md', 'Add an endpoint or a field').matchAll(/^\d+\. `([^`]+)`/gm)].map(
    ([, path = '']) => path,
  );
  // The login and the legacy route are no supplier endpoints: they have middleware of their own.
  const endpoints = contracts.filter(({ access }) => access !== null).map(({ name }) => name);
  const filesOf = (name: string) => listed.map((path) => path.replace('<verb>-<noun>', name));
  const sources = globSync('{lib,functions,infra}/**/*.ts', { cwd: root }).filter((path) => !/generated/.test(path));

  it('has six files at most, and the two files that all endpoints share name every endpoint', () => {
    expect(listed.length).toBeGreaterThan(0);
    expect(listed.length).toBeLessThanOrEqual(6);
    const shared = listed.filter((path) => !path.includes('<verb>-<noun>'));
    const unnamed = shared.flatMap((path) =>
      endpoints.filter((name) => !readFileSync(join(root, path), 'utf8').includes(toExportName(name))),
    );
    expect(unnamed).toEqual([]);
  });

  it.each(endpoints)('names files that exist: %s', (name) => {
    expect(filesOf(name).filter((path) => !exists(path))).toEqual([]);
  });

  it.each(endpoints)('is complete: no other source file names the endpoint %s', (name) => {
    const others = endpoints.filter((other) => other !== name).flatMap(filesOf);
    const exempt = [
      // Endpoints may build on each other.
      ...[...filesOf(name), ...others, 'lib/http/input.ts'],
      // The legacy route offers endpoints under other names, and commands of operators have names of their own.
      ...sources.filter((path) => /^(?:lib\/legacy|infra\/ops)\//.test(path)),
    ];
    const naming = sources.filter((path) => !exempt.includes(path) && isNamedIn(path, name));
    expect(naming).toEqual([]);
  });
});

/** True if the code of a file imports a module of an endpoint, or contains the name of the endpoint as a text. */
function isNamedIn(path: string, name: string): boolean {
  const code = readFileSync(join(root, path), 'utf8').replaceAll(/\/\*\*.*?\*\//gs, '');
  return new RegExp(`['"\`/]${name}(?:\\.doc)?(?:\\.ts)?['"\`]`).test(code);
}
