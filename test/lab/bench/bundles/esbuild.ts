import { join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { bundleOptions } from '../../../../infra/constructs/bundles.ts';
import { assemblyDirectory } from '../../../../infra/local/synthesize.ts';

/** Where the benchmarks keep what they build. */
export const benchDirectory = join(assemblyDirectory, 'bench');

/** Bundles a program as the service's functions are bundled; returns its file. */
export async function bundle(name: string, input: BuildOptions): Promise<string> {
  const outfile = join(benchDirectory, `${name}.js`);
  await build({
    ...bundleOptions,
    ...input,
    outfile,
    external: [...bundleOptions.external, ...(input.external ?? [])],
    logLevel: 'error',
  });
  return outfile;
}
