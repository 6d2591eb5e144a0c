import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

type Import = readonly [from: string, to: string];

const root = fileURLToPath(new URL('../../', import.meta.url));
const IMPORT = /^(?:import|export)\b[^;'"]*?(?:from )?'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;

/** The imports between files of this repository, those of types too. */
function importsIn(folder: string): Import[] {
  const files = globSync(`${folder}/**/*.{ts,js}`, { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  return files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)].map(([, named, loaded]): Import => [
      file,
      join(dirname(file), named ?? loaded!).replaceAll('\\', '/'),
    ]),
  );
}

/**
 * The files and folders of a folder that import one another in a circle. What is in a folder counts as that folder: so
 * the whole of it can be read, and moved, without the others.
 */
function circlesIn(folder: string, imports: readonly Import[]): string[] {
  const isInside = (path: string) => path.startsWith(`${folder}/`);
  const entryOf = (path: string) => path.slice(folder.length + 1).split('/')[0]!;
  const targets = new Map<string, Set<string>>();
  for (const [from, to] of imports.filter((one) => one.every(isInside))) {
    const entry = entryOf(from);
    if (entry !== entryOf(to)) targets.set(entry, (targets.get(entry) ?? new Set()).add(entryOf(to)));
  }
  const reachable = (from: string, seen = new Set<string>()): Set<string> => {
    for (const to of targets.get(from) ?? []) if (!seen.has(to)) reachable(to, seen.add(to));
    return seen;
  };
  return [...targets.keys()].filter((entry) => reachable(entry).has(entry));
}

const all = ['functions', 'infra', 'lib'].flatMap(importsIn);
const folders = [...new Set(all.map(([from]) => dirname(from)))].flatMap((folder) =>
  folder.split('/').map((_, index, names) => names.slice(0, index + 1).join('/')),
);

it('no folders import one another in a circle, wherever they are', () => {
  expect(all.length).toBeGreaterThan(1000);
  const circles = [...new Set(folders)].map((folder) => [folder, circlesIn(folder, all)] as const);
  expect(circles.filter(([, entries]) => entries.length > 0)).toEqual([]);
});

it('a circle is found through folders within folders, and through a file beside them', () => {
  const imports: Import[] = [
    ['a/b/x.ts', 'a/c/d/y.ts'],
    ['a/c/z.ts', 'a/e.ts'],
    ['a/e.ts', 'a/b/w.ts'],
    ['a/f/g.ts', 'a/b/x.ts'],
  ];
  expect(circlesIn('a', imports)).toEqual(['b', 'c', 'e.ts']);
  expect(circlesIn('a', imports.slice(0, 2))).toEqual([]);
});
