import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SHELL_VARIABLES = [
  // It may name the engine to test with.
  /^AWS_(?!ENDPOINT_URL_DYNAMODB$)/,
  /^(CI|FORCE_COLOR|NO_COLOR|npm_lifecycle_event)$/,
  /^(NODE_USE_ENV_PROXY|\w+_proxy)$/i,
  /^(LANGUAGE|LC_\w+)$/,
];

/**
 * Takes away what the shell of whoever runs the tests has set, before a worker starts: tests must not depend on it, nor
 * the processes that they start. What they write into the folder of temporary files is gone after them.
 */
export function isolateEnvironment(): void {
  for (const name of Object.keys(process.env))
    if (SHELL_VARIABLES.some((pattern) => pattern.test(name))) delete process.env[name];
  process.env['LANG'] = 'C.UTF-8';
  const temporary = mkdtempSync(join(tmpdir(), 'tests-'));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = temporary;
  process.once('exit', () => rmSync(temporary, { recursive: true, maxRetries: 3 }));
  // A process of this repository starts in half of the time when its code was compiled before.
  process.env['NODE_COMPILE_CACHE'] = fileURLToPath(new URL('../../../cdk.out/compile-cache', import.meta.url));
}

/** What a process needs of the environment of the tests, and nothing else. */
export function buildMinimalEnvironment() {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}
