import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stack, Stage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { IConstruct } from 'constructs';
import { type BuildOptions, buildSync } from 'esbuild';
import { getBundleFolder, getBundleRoot } from '../config.ts';

/**
 * Modules that the SDK never loads on Lambda: event streams, and the providers that read credentials from other places
 * than environment variables. Bundles do not contain these modules, because each would add other parts of the SDK.
 */
const NEVER_LOADED_MODULES = [
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

const ROOT_FOLDER = fileURLToPath(new URL('../../', import.meta.url));

/** The options with which esbuild bundles the functions. */
export const bundleOptions = {
  // esbuild resolves an alias in this folder.
  absWorkingDir: ROOT_FOLDER,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  // With full identifiers, a function would need 5 % more CPU to start. Source maps keep stacks and breakpoints readable.
  minify: true,
  sourcemap: 'linked',
  sourcesContent: false,
  // esbuild removes unused code only from ES modules. A smaller bundle starts faster.
  mainFields: ['module', 'main'],
  external: NEVER_LOADED_MODULES,
  // The client of DynamoDB creates an EndpointCache for endpoint discovery, which no command uses. @smithy/core/endpoints
  // exports another class EndpointCache, which every bundle of a client contains anyway. The alias saves 8 KB.
  alias: { '@aws-sdk/endpoint-cache': '@smithy/core/endpoints' },
  logLevel: 'warning',
} satisfies BuildOptions;

const SOURCE_FOLDER = join(ROOT_FOLDER, 'functions');

/** Bundles all functions at once, unless the stack is synthesized without bundles. */
export function bundleFunctions(stack: Stack): void {
  if (!stack.bundlingRequired) return;
  const files = globSync(join(SOURCE_FOLDER, '*.ts'));
  // NAME/index.js is the bundle of functions/NAME.ts.
  const entryPoints = files.map((file) => ({ in: file, out: join(basename(file, '.ts'), 'index') }));
  buildSync({ ...bundleOptions, entryPoints, outdir: getBundleRoot(getAssemblyFolder(stack)) });
}

/** Returns the code of functions/<name>.ts: its bundle. In a synthesis without bundles, all sources take its place. */
export function getFunctionCode(scope: IConstruct, name: string): Code {
  const stack = Stack.of(scope);
  const folder = stack.bundlingRequired ? getBundleFolder(getAssemblyFolder(stack), name) : SOURCE_FOLDER;
  return Code.fromAsset(folder, { exclude: ['*.map'] });
}

function getAssemblyFolder(stack: Stack): string {
  // `Stage.of` never returns undefined here: every stack belongs to the App, which is a Stage of the CDK.
  return Stage.of(stack)!.outdir;
}
