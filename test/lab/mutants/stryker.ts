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
 * Returns Stryker, and installs it first where its lock file has changed or nothing is installed. It is a package of its
 * own, because no other command needs its 177 packages. Its folder is within the repository, whose vitest it runs.
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

/** What is asked of a path in a syntax tree, as Stryker hands it out (a NodePath of Babel). */
interface SyntaxPath {
  isFunction(): boolean;
  getFunctionParent(): object | null;
  traverse(visitor: { Function(inner: { stop(): void }): void }): void;
}

function holdsFunction(path: SyntaxPath): boolean {
  let isHeld = false;
  path.traverse({
    Function(inner) {
      isHeld = true;
      inner.stop();
    },
  });
  return isHeld;
}

/**
 * A plugin of Stryker that leaves what a module does once, when it is loaded, as it is. Stryker itself leaves it only
 * where no test loads the module while it runs; else it would run the tests that do, and none of those that use it.
 */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'module-level',
    value: {
      shouldIgnore: (path: SyntaxPath) =>
        path.isFunction() || path.getFunctionParent() !== null || holdsFunction(path)
          ? undefined
          : 'It happens once, when the module is loaded.',
    },
  },
];
