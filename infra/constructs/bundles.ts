import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stack, Stage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { IConstruct } from 'constructs';
import { type BuildOptions, buildSync } from 'esbuild';
import { getBundleFolder } from '../config.ts';

/**
 * The modules of the SDK that it never loads on Lambda: credential providers other than the environment, and event
 * streams. In a bundle they would also retain other parts of the SDK that nothing else uses.
 */
const neverLoaded = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-login',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@aws-sdk/credential-providers',
  '@smithy/core/event-streams',
  '@smithy/credential-provider-imds',
];

export const bundleOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  // With their identifiers, stacks and breakpoints stay readable. Shorter ones do not make the start faster.
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: 'linked',
  sourcesContent: false,
  // The ES module builds of the dependencies tree-shake: the bundle starts faster.
  mainFields: ['module', 'main'],
  external: neverLoaded,
  logLevel: 'warning',
} satisfies BuildOptions;

const sources = fileURLToPath(new URL('../../functions', import.meta.url));

/** Returns the entry points of functions for esbuild: NAME/index.js is the bundle of functions/NAME.ts. */
export function toEntryPoints(files: readonly string[]): { in: string; out: string }[] {
  return files.map((file) => ({ in: file, out: join(basename(file, '.ts'), 'index') }));
}

/** Bundles all functions at once, unless the stack is synthesized without bundles. */
export function bundleFunctions(stack: Stack): void {
  if (!stack.bundlingRequired) return;
  const files = globSync(join(sources, '*.ts'));
  buildSync({ ...bundleOptions, entryPoints: toEntryPoints(files), outdir: getBundleFolder(assemblyOf(stack), '') });
}

/**
 * Returns the bundle of functions/<name>.ts from `bundleFunctions` without its source map, or the sources if the stack
 * has no bundles.
 */
export function getFunctionCode(scope: IConstruct, name: string): Code {
  const stack = Stack.of(scope);
  const folder = stack.bundlingRequired ? getBundleFolder(assemblyOf(stack), name) : sources;
  return Code.fromAsset(folder, { exclude: ['*.map'] });
}

const assemblyOf = (stack: Stack) => Stage.of(stack)!.outdir;
