import { execFile } from 'node:child_process';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type BuildFailure, context } from 'esbuild';
import { bundleOptions } from './bundle-options.ts';

/** Makes the bundles of functions again and again. */
export interface Bundler {
  /** The bundle of each function by its name; throws a BundleError. */
  build(): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

/** Why there is no bundle, a line for each fault. */
export class BundleError extends Error {}

const MOST_FAULTS = 3;

/** Bundles functions/<name>.ts below this folder, for each of the names. */
export async function openBundler(root: string, names: readonly string[]): Promise<Bundler> {
  const builder = await context({
    ...bundleOptions(),
    absWorkingDir: root,
    entryPoints: names.map((name) => `functions/${name}.ts`),
    outdir: 'bundles',
    write: false,
    logLevel: 'silent',
  });
  return {
    async build() {
      const { outputFiles } = await builder.rebuild().catch((error: BuildFailure) => {
        throw new BundleError(faultsOf(error));
      });
      return new Map(outputFiles?.map(({ path, text }) => [basename(path, '.js'), text]));
    },
    close: () => builder.dispose(),
  };
}

/** Makes the validators of the contracts, which are part of the bundles. */
export async function generateValidators(root: string): Promise<void> {
  const script = join(root, 'infra/generate.ts');
  await promisify(execFile)(process.execPath, [script], { cwd: root }).catch(({ stderr }: { stderr: string }) => {
    const [place] = stderr.split(pathToFileURL(root).href)[1]?.split(/\s/) ?? [];
    const reason = /^\w*Error\b.*$/m.exec(stderr)?.[0] ?? stderr;
    throw new BundleError(place === undefined ? reason : `${place}: ${reason}`);
  });
}

function faultsOf({ errors }: BuildFailure): string {
  const lines = errors.map(({ location, text }) => {
    const place = location ? `${location.file}:${location.line}:${location.column + 1}: ` : '';
    return `${place}${text}`;
  });
  const left = lines.length - MOST_FAULTS;
  return [...lines.slice(0, MOST_FAULTS), ...(left > 0 ? [`and ${left} more`] : [])].join('\n');
}
