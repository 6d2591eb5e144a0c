import { createRequire } from 'node:module';

const SCALAR_PACKAGE = '@scalar/fastify-api-reference';

/** The part of a plugin of Fastify that `readScalarBundle` uses. */
type Plugin = (host: { route(route: Route): void }, options: object, done: () => void) => void;

interface Route {
  readonly url: string;
  readonly handler: (request: unknown, reply: unknown) => void;
}

/**
 * Reads the script of Scalar for browsers. The package exports only a plugin of Fastify that serves the script, so this
 * function passes a substitute for Fastify to the plugin.
 */
export function readScalarBundle(): string {
  // The package is not imported at the top, because it takes 0.1 s to load, and most starts never serve the page.
  const require = createRequire(import.meta.url);
  const { default: plugin } = require(SCALAR_PACKAGE) as { readonly default: Plugin };
  let script: unknown;
  const reply = {
    header: () => reply,
    send(body: unknown) {
      script = body;
    },
  };
  const route = ({ url, handler }: Route) => {
    if (url.endsWith('.js')) handler(undefined, reply);
  };
  plugin({ route }, { configuration: { url: 'openapi.json' } }, () => {});
  if (typeof script !== 'string') throw new Error(`${SCALAR_PACKAGE} no longer serves a script.`);
  return script;
}
