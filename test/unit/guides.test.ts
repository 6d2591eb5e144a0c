import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { contracts, routes, signingKeyRotation } from '../../infra/routes.ts';
import { toExportName } from '../../infra/generate/validator-source.ts';
import { readBlock, readGuide, readSection } from '../support/guides/readme.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const guides = globSync(['README.md', '{lib,infra,test}/**/*.md'], { cwd: root });
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

/** Returns the ASVS requirements in lib/asvs.md, with the tests that they name. */
function readAsvsItems(): { item: string; tests: string[] }[] {
  const items = readGuide('lib/asvs.md')
    .split(/\n\n|\n(?=- )/)
    .filter((text) => /^- \*\*\d/.test(text));
  return items.map((item) => ({
    item,
    tests: [...item.matchAll(/`(\w+(?:\/[\w-]+)+)`/g)].map(([, name = '']) => name),
  }));
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

describe('the guides', () => {
  it('README.md names every npm script in a group', () => {
    // npm runs the scripts that begin with `pre` itself.
    const names = Object.keys(scripts).filter((name) => !name.startsWith('pre'));
    const groups = readSection('README.md', 'Development');
    expect(names.filter((name) => !new RegExp(`\`(?:npm run )?${name}[\` ]`).test(groups))).toEqual([]);
  });

  it.each(guides)('%s names only links, files, folders and npm scripts that exist', (guide) => {
    const text = readGuide(guide);
    const paths = text.match(/(?<![\w./-])(?:functions|lib|infra|test)\/[\w./*-]*[\w*]/g) ?? [];
    const calledScripts = [...text.matchAll(/\bnpm run (?:-s )?([\w-]+(?::[\w-]+)*)/g)].map(([, name = '']) => name);
    expect({
      links: findBrokenLinks(guide),
      // lib/asvs.md names a test without its folder and its extension.
      paths: paths.filter((path) => !exists(path) && !exists(`test/${path}.test.ts`)),
      scripts: calledScripts.filter((name) => !(name in scripts)),
    }).toEqual({ links: [], paths: [], scripts: [] });
    // npm would print its own lines before the output of ops.
    expect(text).not.toContain('npm run ops --');
  });

  it('no guide downloads a package with npx, except for client generators of other publishers', () => {
    const downloads = guides.flatMap((guide) => [...readGuide(guide).matchAll(/npx (?!--no(?:-install)? )(\S+)/g)]);
    const generators = ['openapi-typescript', '@hey-api/openapi-ts', 'orval'];
    expect(downloads.map(([, name]) => name)).toEqual(generators);
  });

  it('the diagram of README.md shows which tables each function can access', () => {
    const diagram = readBlock('README.md', 'Supplier Portal Invoice Service', 'mermaid');
    const nodes = [...diagram.matchAll(/^ +(\w+)\[([\w<>-]+)\]$/gm)];
    const arrows = [...diagram.matchAll(/^ +([\w &]+) --> ([\w &]+)$/gm)];
    for (const { name, tables } of [...routes, signingKeyRotation]) {
      const [, node = ''] = nodes.find(([, , label = '']) => label.split('<br>').includes(name)) ?? [];
      const accessed = arrows.flatMap(([, from = '', to = '']) =>
        from.split(' & ').includes(node) ? to.split(' & ') : [],
      );
      const permitted = Object.keys(tables).map((area) => area.split('/')[0]);
      expect(new Set(accessed), name).toEqual(new Set(permitted));
    }
  });

  it('lib/asvs.md names every chapter, and an existing test, a document or a reason for every requirement', () => {
    const items = readAsvsItems();
    const chapters = [...readGuide('lib/asvs.md').matchAll(/^## V(\d+) /gm)].map(([, number]) => Number(number));
    expect(chapters).toEqual(Array.from({ length: 17 }, (_, index) => index + 1));
    expect(items.flatMap(({ tests }) => tests).filter((name) => !exists(`test/${name}.test.ts`))).toEqual([]);
    const reason = /\]\(|npm run|[Dd]eployer|not applicable|not met|linter|AWS SDK/;
    const unproven = items.filter(({ tests, item }) => tests.length === 0 && !reason.test(item));
    expect(unproven).toEqual([]);
  });

  it('README.md names an existing file or folder for each change in its table', () => {
    const rows = [
      ...readSection('README.md', 'Where to make a change').matchAll(/^\| (?!To change|-)(.+?) +\| (.+)$/gm),
    ];
    expect(rows.length).toBeGreaterThanOrEqual(10);
    const readPaths = (cell = '') =>
      [...cell.matchAll(/`((?:functions|lib|infra)\/[^`]+)`/g)].map(([, path = '']) => path);
    const wrong = rows.filter(([, , edit]) => readPaths(edit).length === 0 || !readPaths(edit).every(exists));
    expect(wrong.map(([, change]) => change)).toEqual([]);
  });

  it('lib/README.md lists every folder of lib', () => {
    const folders = readdirSync(join(root, 'lib'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const listed = [...readSection('lib/README.md', 'Layers').matchAll(/^lib\/([\w-]+) /gm)].map(([, name]) => name);
    expect(new Set(listed)).toEqual(new Set(folders.map(({ name }) => name)));
  });
});

describe('the list of the files of an endpoint', () => {
  const listed = [...readSection('README.md', 'Add an endpoint or a field').matchAll(/^\d+\. `([^`]+)`/gm)].map(
    ([, path = '']) => path,
  );
  // The login and the legacy route are not supplier endpoints: they have their own middleware.
  const endpoints = contracts.filter(({ access }) => access !== null).map(({ name }) => name);
  const listFiles = (name: string) => listed.map((path) => path.replace('<verb>-<noun>', name));
  const sources = globSync('{lib,functions,infra}/**/*.ts', { cwd: root }).filter((path) => !/generated/.test(path));

  it('an endpoint has at most six files, and the two files that all endpoints share name every endpoint', () => {
    expect(listed.length).toBeGreaterThan(0);
    expect(listed.length).toBeLessThanOrEqual(6);
    const shared = listed.filter((path) => !path.includes('<verb>-<noun>'));
    const unnamed = shared.flatMap((path) =>
      endpoints.filter((name) => !readFileSync(join(root, path), 'utf8').includes(toExportName(name))),
    );
    expect(unnamed).toEqual([]);
  });

  it.each(endpoints)('the listed files of the endpoint %s exist', (name) => {
    expect(listFiles(name).filter((path) => !exists(path))).toEqual([]);
  });

  it.each(endpoints)('no source file that is not listed names the endpoint %s', (name) => {
    const others = endpoints.filter((other) => other !== name).flatMap(listFiles);
    const exempt = [
      // An endpoint can use another one.
      ...[...listFiles(name), ...others, 'lib/http/input.ts'],
      // The legacy route and the operator commands have their own names.
      ...sources.filter((path) => /^(?:lib\/legacy|infra\/ops)\//.test(path)),
    ];
    const matches = sources.filter((path) => !exempt.includes(path) && isNamedIn(path, name));
    expect(matches).toEqual([]);
  });
});

/** True if a source file imports a module of an endpoint, or contains the name of the endpoint as a string. */
function isNamedIn(path: string, name: string): boolean {
  const code = readFileSync(join(root, path), 'utf8').replaceAll(/\/\*\*.*?\*\//gs, '');
  return new RegExp(`['"\`/]${name}(?:\\.doc)?(?:\\.ts)?['"\`]`).test(code);
}
