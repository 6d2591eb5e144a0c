import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FunctionSurroundings, LocalFunction } from '../local-function.ts';
import type { FunctionDefinition } from '../stack-definition.ts';
import { assemblyDirectory } from '../synthesize.ts';
import { BundleError, type Bundler } from './bundler.ts';

/** The functions that are served, by their ids. */
export type ServedFunctions = Map<string, LocalFunction>;

/** Puts new bundles in the place of those that are served. */
export interface Reloader {
  /** Serves the bundles that the sources make now; gives the names of those that differ. */
  reload(): Promise<readonly string[]>;
  close(): void;
}

interface Watched {
  readonly name: string;
  readonly definition: FunctionDefinition;
  code: string;
}

/** The name of a function: its id is the name without dashes, and eight digits. */
export function functionName(id: string, names: readonly string[]): string | undefined {
  return names.find((name) => id.slice(0, -8) === name.replaceAll('-', ''));
}

/** Watches over these functions, which are served from the bundles of their definitions. */
export function createReloader(
  definitions: ReadonlyMap<string, FunctionDefinition>,
  served: ServedFunctions,
  surroundings: FunctionSurroundings,
  bundler: Bundler,
): Reloader {
  const folder = mkdtempSync(join(assemblyDirectory, 'watch-'));
  const watched: Watched[] = [...definitions].map(([name, definition]) => {
    const code = readFileSync(join(definition.codeDirectory, 'index.js'), 'utf8');
    return { name, definition, code };
  });
  let builds = 0;

  async function reload(): Promise<readonly string[]> {
    const bundles = await bundler.build();
    const changed = watched.filter(({ name, code }) => bundles.get(name) !== code);
    const build = join(folder, String(++builds));
    const successors = changed.map(({ name, definition }) => {
      const codeDirectory = join(build, name);
      mkdirSync(codeDirectory, { recursive: true });
      writeFileSync(join(codeDirectory, 'index.js'), bundles.get(name) ?? '');
      return new LocalFunction({ ...definition, codeDirectory }, surroundings);
    });
    try {
      // What compiles may still fail as it is loaded.
      await Promise.all(successors.map((successor) => successor.load()));
    } catch (error) {
      await Promise.all(successors.map((successor) => successor.close()));
      throw new BundleError(`What was bundled cannot be loaded: ${String(error)}`);
    }
    for (const [place, successor] of successors.entries()) {
      const replaced = changed[place]!;
      const { id } = replaced.definition;
      void served.get(id)?.retire();
      served.set(id, successor);
      replaced.code = bundles.get(replaced.name) ?? '';
    }
    return changed.map(({ name }) => name);
  }
  return { reload, close: () => rmSync(folder, { recursive: true }) };
}
