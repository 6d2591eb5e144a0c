import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { context, type OutputFile } from 'esbuild';
import { bundleOptions } from '../constructs/bundles.ts';
import { print, printError } from '../terminal.ts';
import { type FunctionSurroundings, LocalFunction } from './local-function.ts';
import type { FunctionDefinition } from './read-stack.ts';
import { assemblyDirectory } from './synthesize.ts';

/** The name of a function: its id is the name without dashes, and eight digits. */
export function functionName(id: string, names: readonly string[]): string | undefined {
  return names.find((name) => id.slice(0, -8) === name.replaceAll('-', ''));
}

/**
 * Serves each change of the sources below this folder in the place of the functions that are served, until it is
 * closed. `definitions` are those to watch, by the names of their files.
 */
export async function watchFunctions(
  root: string,
  definitions: ReadonlyMap<string, FunctionDefinition>,
  served: Map<string, LocalFunction>,
  surroundings: FunctionSurroundings,
): Promise<{ readonly close: () => Promise<void> }> {
  const folder = mkdtempSync(join(assemblyDirectory, 'watch-'));
  const current = new Map(definitions);

  async function serve(files: readonly OutputFile[]): Promise<void> {
    const build = mkdtempSync(join(folder, 'build-'));
    const changed = files.flatMap(({ path, contents }) => {
      const name = basename(path, '.js');
      const before = current.get(name)!;
      if (readFileSync(join(before.codeDirectory, 'index.js')).equals(contents)) return [];
      const definition = { ...before, codeDirectory: join(build, name) };
      mkdirSync(definition.codeDirectory);
      writeFileSync(join(definition.codeDirectory, 'index.js'), contents);
      return [{ name, definition, successor: new LocalFunction(definition, surroundings) }];
    });
    if (changed.length === 0) return;
    try {
      // What compiles may still fail as it is loaded.
      await Promise.all(changed.map(({ successor }) => successor.load()));
    } catch (error) {
      await Promise.all(changed.map(({ successor }) => successor.close()));
      return printError(`The new bundles cannot be loaded: ${String(error)}\nWhat was served before goes on.`);
    }
    for (const { name, definition, successor } of changed) {
      void served.get(definition.id)?.retire();
      served.set(definition.id, successor);
      current.set(name, definition);
    }
    print(`Sources changed, now served: ${changed.map(({ name }) => name).join(', ')}.`);
  }

  const builder = await context({
    ...bundleOptions,
    absWorkingDir: root,
    entryPoints: [...definitions.keys()].map((name) => `functions/${name}.ts`),
    outdir: folder,
    write: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'serve',
        setup(build) {
          // The bundles hold the validators, which are made of the contracts.
          build.onStart(() => generateValidators(root));
          build.onEnd(async ({ errors, outputFiles = [] }) => {
            if (errors.length > 0) printError('What was served before goes on.');
            else await serve(outputFiles);
          });
        },
      },
    ],
  });
  await builder.watch();
  return {
    async close() {
      await builder.dispose();
      rmSync(folder, { recursive: true });
    },
  };
}

async function generateValidators(root: string) {
  const script = join(root, 'infra/generate.ts');
  const generate = promisify(execFile)(process.execPath, [script], { cwd: root });
  return generate.then(
    () => null,
    ({ stderr }: { stderr: string }) => ({ errors: [{ text: /^\w*Error\b.*$/m.exec(stderr)?.[0] ?? stderr }] }),
  );
}
