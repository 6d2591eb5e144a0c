import { join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { assemblyDirectory } from '../../../infra/local/synthesize.ts';
import { bundling } from '../../../infra/constructs/service-function.ts';

/** Where the benchmarks keep what they build. */
export const benchDirectory = join(assemblyDirectory, 'bench');

/** Bundles a program as the service's functions are bundled; returns its file. */
export async function bundle(name: string, input: BuildOptions): Promise<string> {
  const { format, minify, mainFields, externalModules } = bundling;
  const outfile = join(benchDirectory, `${name}.js`);
  await build({
    ...input,
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format,
    minify,
    mainFields,
    external: [...externalModules, ...(input.external ?? [])],
    logLevel: 'error',
  });
  return outfile;
}
