import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { context, type Plugin } from 'esbuild';
import { bundleOptions, toEntryPoints } from '../constructs/bundles.ts';
import { print, printError } from '../process/terminal.ts';
import type { FunctionDefinition } from './read-stack.ts';
import { outputDirectory } from './synthesize.ts';

/** Matches the first line of an uncaught error, such as `SyntaxError: Unexpected token`, without its stack. */
const UNCAUGHT_ERROR = /^\w*Error\b.*$/m;

/** Bundles the functions after each change until `close` is called. Calls `replaceFunctions` if a bundle differs. */
export async function watchFunctions(
  root: string,
  definitions: readonly FunctionDefinition[],
  replaceFunctions: (definitions: readonly FunctionDefinition[]) => Promise<void>,
): Promise<{ readonly close: () => Promise<void> }> {
  const folder = mkdtempSync(join(outputDirectory, 'watch-'));
  const newDefinitions = definitions.map((each) => ({ ...each, codeFolder: join(folder, each.name) }));
  let servedBundles = readBundles(definitions);

  async function serveBundles(): Promise<void> {
    const bundles = readBundles(newDefinitions);
    const changedNames = [...bundles.keys()].filter((name) => bundles.get(name) !== servedBundles.get(name));
    if (changedNames.length === 0) return;
    try {
      // A bundle that compiles can still fail when it is loaded.
      await replaceFunctions(newDefinitions);
    } catch (error) {
      return printError(`The new bundles cannot be loaded: ${String(error)}\nThe previous version is still served.`);
    }
    servedBundles = bundles;
    print(`Sources changed, now served: ${changedNames.join(', ')}.`);
  }

  const servePlugin: Plugin = {
    name: 'serve',
    setup(build) {
      // The bundles contain the validators, which are generated from the contracts.
      build.onStart(() => generateValidators(root));
      build.onEnd(({ errors }) => {
        if (errors.length === 0) return serveBundles();
        return printError('The previous version is still served.');
      });
    },
  };
  const builder = await context({
    ...bundleOptions,
    absWorkingDir: root,
    entryPoints: toEntryPoints(definitions.map(({ name }) => `functions/${name}.ts`)),
    outdir: folder,
    logLevel: 'error',
    plugins: [servePlugin],
  });
  await builder.watch();
  return {
    async close() {
      await builder.dispose();
      rmSync(folder, { recursive: true });
    },
  };
}

function readBundles(definitions: readonly FunctionDefinition[]): ReadonlyMap<string, string> {
  const readBundle = (folder: string) => readFileSync(join(folder, 'index.js'), 'utf8');
  return new Map(definitions.map(({ name, codeFolder }) => [name, readBundle(codeFolder)]));
}

/** Generates the validators in a new process, which loads the changed contracts. Returns its errors for esbuild. */
async function generateValidators(root: string) {
  try {
    await promisify(execFile)(process.execPath, [join(root, 'infra/generate/generate.ts')], { cwd: root });
    return null;
  } catch (error) {
    const { stderr } = error as { stderr: string };
    const errorLine = UNCAUGHT_ERROR.exec(stderr)?.[0];
    return { errors: [{ text: errorLine ?? stderr }] };
  }
}
