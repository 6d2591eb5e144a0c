import { execFile } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { context, type OutputFile } from 'esbuild';
import { bundleOptions, toEntryPoints } from '../constructs/bundles.ts';
import { print, printError } from '../process/terminal.ts';
import { type FunctionSettings, LocalFunction } from './local-function.ts';
import type { FunctionDefinition } from './read-stack.ts';
import { assemblyDirectory } from './synthesize.ts';

/** Bundles each change of the sources in a folder, and replaces the functions in `served`, until it is closed. */
export async function watchFunctions(
  root: string,
  definitions: readonly FunctionDefinition[],
  served: Map<string, LocalFunction>,
  settings: FunctionSettings,
): Promise<{ readonly close: () => Promise<void> }> {
  const folder = mkdtempSync(join(assemblyDirectory, 'watch-'));
  const sources = globSync('functions/*.ts', { cwd: root }).map((path) => basename(path, '.ts'));
  const watched = definitions.filter(({ name }) => sources.includes(name));
  const current = new Map(watched.map((definition) => [definition.name, definition]));

  async function serve(files: readonly OutputFile[]): Promise<void> {
    const build = mkdtempSync(join(folder, 'build-'));
    for (const { path, contents } of files) {
      const codeDirectory = join(build, basename(dirname(path)));
      mkdirSync(codeDirectory, { recursive: true });
      writeFileSync(join(codeDirectory, basename(path)), contents);
    }
    const changed = [...current.values()].flatMap((before) => {
      const definition = { ...before, codeDirectory: join(build, before.name) };
      if (readBundle(definition).equals(readBundle(before))) return [];
      return [{ definition, successor: new LocalFunction(definition, settings) }];
    });
    if (changed.length === 0) return;
    try {
      // A bundle that compiles can still fail when it is loaded.
      await Promise.all(changed.map(({ successor }) => successor.load()));
    } catch (error) {
      await Promise.all(changed.map(({ successor }) => successor.close()));
      return printError(`The new bundles cannot be loaded: ${String(error)}\nThe previous version is still served.`);
    }
    for (const { definition, successor } of changed) {
      void served.get(definition.id)?.retire();
      served.set(definition.id, successor);
      current.set(definition.name, definition);
    }
    print(`Sources changed, now served: ${changed.map(({ definition }) => definition.name).join(', ')}.`);
  }

  const builder = await context({
    ...bundleOptions,
    absWorkingDir: root,
    entryPoints: toEntryPoints(watched.map(({ name }) => `functions/${name}.ts`)),
    // As deep as the folder of a build, because source maps contain relative paths.
    outdir: join(folder, 'build'),
    write: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'serve',
        setup(build) {
          // The bundles contain the validators, which are generated from the contracts.
          build.onStart(() => generateValidators(root));
          build.onEnd(async ({ errors, outputFiles = [] }) => {
            if (errors.length > 0) printError('The previous version is still served.');
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

function readBundle({ codeDirectory }: FunctionDefinition): Buffer {
  return readFileSync(join(codeDirectory, 'index.js'));
}

async function generateValidators(root: string) {
  const generate = promisify(execFile)(process.execPath, [join(root, 'infra/generate/generate.ts')], { cwd: root });
  return generate.then(
    () => null,
    ({ stderr }: { stderr: string }) => ({ errors: [{ text: /^\w*Error\b.*$/m.exec(stderr)?.[0] ?? stderr }] }),
  );
}
