import { createRequire } from 'node:module';

const SCALAR_PACKAGE = '@scalar/fastify-api-reference';

/** The part of a plugin of Fastify that `readScalarBundle` uses. */
type Plugin = (host: { route(route: Route): void }, options: object, done: () => void) => void;

interface Route {
  readonly url: string;
  readonly handler: (request: unknown, reply: unknown) => void;
}

/** The comparison of two search results in the script, which begins with their scores. */
const RESULT_COMPARISON = /sortFn:\((\w+),(\w+)\)=>(?=Number\()/;

/**
 * Reads the script of the Scalar API reference for browsers (4.9 MB).
 *
 * The package is the smallest one with the script, but it does not export the script: it is a plugin of Fastify that
 * serves it. Therefore this function registers the plugin with a substitute for Fastify, and calls the handler of the
 * `.js` route.
 */
export function readScalarBundle(): string {
  // The package is not imported at the top, because it takes 0.1 s to load, and most starts never serve the page.
  const require = createRequire(import.meta.url);
  const { default: plugin } = require(SCALAR_PACKAGE) as { readonly default: Plugin };
  let bundle: unknown;
  const reply = {
    header: () => reply,
    send: (body: unknown) => void (bundle = body),
  };
  const route = ({ url, handler }: Route) => {
    if (url.endsWith('.js')) handler(undefined, reply);
  };
  plugin({ route }, { configuration: { url: 'openapi.json' } }, () => {});
  if (typeof bundle !== 'string') throw new Error(`${SCALAR_PACKAGE} no longer serves a script.`);
  if (!RESULT_COMPARISON.test(bundle)) throw new Error(`${SCALAR_PACKAGE} no longer compares search results.`);
  // Scalar would list operations of the legacy route, whose names are short, before those of the current interface.
  const isLegacy = 'r=>JSON.stringify(r.item).includes("/apidev/legacy/")';
  return bundle.replace(RESULT_COMPARISON, `$&(${isLegacy})($1)-(${isLegacy})($2)||`);
}
