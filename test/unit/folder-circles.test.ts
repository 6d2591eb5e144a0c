import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

type Import = readonly [from: string, to: string];

const root = fileURLToPath(new URL('../../', import.meta.url));
const IMPORT = /^(?:import|export)\b[^;'"]*?(?:from )?'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;

/** Finds the imports between files, also of types. */
function importsIn(folder: string): Import[] {
  const files = globSync(`${folder}/**/*.{ts,js}`, { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  return files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)].map(([, named, loaded]): Import => [
      file,
      join(dirname(file), named ?? loaded!).replaceAll('\\', '/'),
    ]),
  );
}

/** The folders within a folder that import one another in a circle, each with all that is in it; also through files. */
function circleIn(folder: string, imports: readonly Import[]): string[] {
  const isInside = (path: string) => path.startsWith(`${folder}/`);
  const entryOf = (path: string) => path.slice(folder.length + 1).split('/')[0]!;
  const targets = new Map<string, Set<string>>();
  for (const [from, to] of imports.filter((one) => one.every(isInside))) {
    if (entryOf(from) !== entryOf(to))
      targets.set(entryOf(from), (targets.get(entryOf(from)) ?? new Set()).add(entryOf(to)));
  }
  const reachable = (from: string, seen = new Set<string>()): Set<string> => {
    for (const to of targets.get(from) ?? []) if (!seen.has(to)) reachable(to, seen.add(to));
    return seen;
  };
  const folders = [...targets.keys()].filter((entry) => !entry.includes('.'));
  return folders.filter((one) =>
    folders.some((other) => other !== one && reachable(one).has(other) && reachable(other).has(one)),
  );
}

it('no folders import one another in a circle, wherever they are', () => {
  const round: Import[] = ['ab', 'bc', 'ca', 'da'].map(([from, to]) => [`x/${from}/1.ts`, `x/${to}/2.ts`]);
  expect(circleIn('x', round)).toEqual(['a', 'b', 'c']);
  const imports = ['functions', 'infra', 'lib'].flatMap(importsIn);
  expect(imports.length).toBeGreaterThan(500);
  const folders = globSync('{functions,infra,lib}{,/**/*}/', { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  const circles = folders.map((folder) => [folder, ...circleIn(folder, imports)].join(' '));
  expect(circles.filter((circle) => circle.includes(' '))).toEqual([]);
});
