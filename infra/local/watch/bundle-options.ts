import type { BuildOptions } from 'esbuild';
import { bundling } from '../../constructs/service-function.ts';

/** How esbuild makes the bundle of a function, byte by byte as the CDK does it for a deployment. */
export function bundleOptions(): BuildOptions {
  const { format, minify, mainFields, externalModules: external } = bundling;
  return { bundle: true, platform: 'node', target: 'node24', format, minify, mainFields, external };
}
