const foreign = [
  // It may name the engine to test with.
  /^AWS_(?!ENDPOINT_URL_DYNAMODB$)/,
  /^(CI|FORCE_COLOR|NO_COLOR|npm_lifecycle_event)$/,
  /^(NODE_USE_ENV_PROXY|\w+_proxy)$/i,
  /^(LANGUAGE|LC_\w+)$/,
];

/**
 * Takes away what the shell of whoever runs the tests has set, before a worker starts: tests must not depend on it, nor
 * the processes that they start.
 */
export function forgetShell(): void {
  for (const name of Object.keys(process.env))
    if (foreign.some((pattern) => pattern.test(name))) delete process.env[name];
  process.env['LANG'] = 'C.UTF-8';
}
