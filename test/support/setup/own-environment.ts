import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SHELL_VARIABLES = [
  // AWS_ENDPOINT_URL_DYNAMODB is kept, because it can select the engine for the tests.
  /^AWS_(?!ENDPOINT_URL_DYNAMODB$)/,
  /^(CI|FORCE_COLOR|NO_COLOR|npm_lifecycle_event)$/,
  /^(NODE_USE_ENV_PROXY|\w+_proxy)$/i,
  /^(LANGUAGE|LC_\w+)$/,
];

/**
 * Removes variables of the developer's shell before a worker starts, because tests and their processes must not depend
 * on them. Creates a folder for temporary files that is deleted at the end.
 */
export function isolateEnvironment(): void {
  for (const name of Object.keys(process.env))
    if (SHELL_VARIABLES.some((pattern) => pattern.test(name))) delete process.env[name];
  process.env['LANG'] = 'C.UTF-8';
  const temporary = mkdtempSync(join(tmpdir(), 'tests-'));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = temporary;
  process.once('exit', () => rmSync(temporary, { recursive: true, maxRetries: 3 }));
  // With the compile cache, a process of this repository starts in half the time.
  process.env['NODE_COMPILE_CACHE'] = fileURLToPath(new URL('../../../cdk.out/compile-cache', import.meta.url));
}

/** Builds an environment that contains only the variables that every process needs. */
export function buildMinimalEnvironment() {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}
