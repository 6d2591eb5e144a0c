/**
 * The environment in which a process of Node holds what it is answered against the OpenAPI document (see
 * check-process.ts).
 */
export const checkingEnvironment = { NODE_OPTIONS: `--import=${new URL('check-process.ts', import.meta.url).href}` };
