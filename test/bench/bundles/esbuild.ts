import { join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { assemblyDirectory } from '../../../infra/local/synthesize.ts';
import { bundleOptions } from '../../../infra/local/watch.ts';

/** Where the benchmarks keep what they build. */
export const benchDirectory = join(assemblyDirectory, 'bench');

/** Bundles a program as the service's functions are bundled; returns its file. */
export async function bundle(name: string, input: BuildOptions): Promise<string> {
  const options = bundleOptions();
  const outfile = join(benchDirectory, `${name}.js`);
  await build({
    ...options,
    ...input,
    outfile,
    external: [...(options.external ?? []), ...(input.external ?? [])],
    logLevel: 'error',
  });
  return outfile;
}
