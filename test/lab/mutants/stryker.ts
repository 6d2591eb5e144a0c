import { execSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A mutant, as Stryker reports it. */
interface Mutant {
  readonly fileName: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
  readonly mutatorName: string;
  readonly replacement: string;
  readonly status: string;
}

type Stryker = new (options: object) => { runMutationTest(): Promise<readonly Mutant[]> };

const FILES = ['.npmrc', 'package.json', 'package-lock.json'];

/**
 * Returns Stryker, and installs it first if its lock file has changed or nothing is installed. It has its own
 * package.json, because no other command needs its 177 packages. Its folder is in the repository, whose vitest it runs.
 */
export async function loadStryker(folder: string): Promise<Stryker> {
  const isInstalled =
    existsSync(`${folder}/node_modules/.package-lock.json`) &&
    readFileSync(`${folder}/package-lock.json`, 'utf8') === readFileSync(toSourceUrl('package-lock.json'), 'utf8');
  if (!isInstalled) install(folder);
  const main = createRequire(resolve(folder, 'package.json')).resolve('@stryker-mutator/core');
  const { Stryker } = (await import(pathToFileURL(main).href)) as { Stryker: Stryker };
  return Stryker;
}

function install(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of FILES) cpSync(toSourceUrl(name), `${folder}/${name}`);
  const command = `npm ci --prefix ${folder} --ignore-scripts --no-audit --no-fund`;
  console.log(`Installing Stryker (test/lab/mutants/package.json), once: ${command}`);
  try {
    execSync(command, { stdio: 'inherit' });
  } catch {
    console.error('skipped: Stryker cannot be installed from the registry of packages.');
    process.exit(77);
  }
}

const toSourceUrl = (name: string) => new URL(name, import.meta.url);

/** The methods that the plugin uses of a path in a syntax tree (a NodePath of Babel). */
interface SyntaxPath {
  isFunction(): boolean;
  getFunctionParent(): object | null;
  traverse(visitor: { Function(inner: { stop(): void }): void }): void;
}

function containsFunction(path: SyntaxPath): boolean {
  let isFound = false;
  path.traverse({
    Function(inner) {
      isFound = true;
      inner.stop();
    },
  });
  return isFound;
}

/**
 * A plugin of Stryker that ignores code that runs once, when a module is loaded. Stryker itself ignores such code only if
 * no test loads the module while it runs. Otherwise, it would run the tests that load it, but not those that use it.
 */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'module-level',
    value: {
      shouldIgnore: (path: SyntaxPath) =>
        path.isFunction() || path.getFunctionParent() !== null || containsFunction(path)
          ? undefined
          : 'This code runs once, when the module is loaded.',
    },
  },
];
