import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { context, type OutputFile } from 'esbuild';
import { bundleOptions, toEntryPoints } from '../constructs/bundles.ts';
import { print, printError } from '../process/terminal.ts';
import { type FunctionSettings, LocalFunction } from './local-function.ts';
import type { FunctionDefinition } from './read-stack.ts';
import { assemblyDirectory } from './synthesize.ts';

/**
 * Watches the sources until `close` is called. After each change, bundles the functions, and replaces the running
 * functions whose bundles differ.
 */
export async function watchFunctions(
  root: string,
  definitions: readonly FunctionDefinition[],
  functionsById: Map<string, LocalFunction>,
  settings: FunctionSettings,
): Promise<{ readonly close: () => Promise<void> }> {
  const folder = mkdtempSync(join(assemblyDirectory, 'watch-'));
  // The CDK's own functions have no source in functions/.
  const watchedFunctions = definitions.filter(({ name }) => existsSync(join(root, `functions/${name}.ts`)));
  const servedDefinitions = new Map(watchedFunctions.map((definition) => [definition.name, definition]));

  /** Replaces all functions whose bundles differ, or none. A running invocation ends with the previous version. */
  async function replaceFunctions(files: readonly OutputFile[]): Promise<void> {
    const buildFolder = mkdtempSync(join(folder, 'build-'));
    writeBundles(files, buildFolder);
    const successors: { definition: FunctionDefinition; successor: LocalFunction }[] = [];
    for (const previous of servedDefinitions.values()) {
      const definition = { ...previous, codeFolder: join(buildFolder, previous.name) };
      if (readBundle(definition).equals(readBundle(previous))) continue;
      successors.push({ definition, successor: new LocalFunction(definition, settings) });
    }
    if (successors.length === 0) return;
    try {
      // A bundle that compiles can still fail when it is loaded.
      await Promise.all(successors.map(({ successor }) => successor.load()));
    } catch (error) {
      await Promise.all(successors.map(({ successor }) => successor.close()));
      return printError(`The new bundles cannot be loaded: ${String(error)}\nThe previous version is still served.`);
    }
    for (const { definition, successor } of successors) {
      void functionsById.get(definition.id)?.retire();
      functionsById.set(definition.id, successor);
      servedDefinitions.set(definition.name, definition);
    }
    print(`Sources changed, now served: ${successors.map(({ definition }) => definition.name).join(', ')}.`);
  }

  const builder = await context({
    ...bundleOptions,
    absWorkingDir: root,
    entryPoints: toEntryPoints(watchedFunctions.map(({ name }) => `functions/${name}.ts`)),
    // With `write: false`, esbuild uses this path only to compute the relative paths in source maps. The paths are also
    // correct in each `buildFolder`, which has the same parent.
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
            else await replaceFunctions(outputFiles);
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

/** Writes each bundle with its source map into a folder with the name of its function. */
function writeBundles(files: readonly OutputFile[], folder: string): void {
  for (const { path, contents } of files) {
    const codeFolder = join(folder, basename(dirname(path)));
    mkdirSync(codeFolder, { recursive: true });
    writeFileSync(join(codeFolder, basename(path)), contents);
  }
}

function readBundle({ codeFolder }: FunctionDefinition): Buffer {
  return readFileSync(join(codeFolder, 'index.js'));
}

/** Generates the validators in a new process, which loads the changed contracts. Returns its errors for esbuild. */
async function generateValidators(root: string) {
  try {
    await promisify(execFile)(process.execPath, [join(root, 'infra/generate/generate.ts')], { cwd: root });
    return null;
  } catch (error) {
    const { stderr } = error as { stderr: string };
    // The line of an uncaught error, such as `SyntaxError: Unexpected token`, without its stack.
    const [errorLine = stderr] = /^\w*Error\b.*$/m.exec(stderr) ?? [];
    return { errors: [{ text: errorLine }] };
  }
}
