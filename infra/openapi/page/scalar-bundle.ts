import { createRequire } from 'node:module';

interface Route {
  readonly url: string;
  readonly handler: (request: unknown, reply: unknown) => void;
}

type Plugin = (host: { route(route: Route): void }, options: object, done: () => void) => void;

const packageName = '@scalar/fastify-api-reference';
const require = createRequire(import.meta.url);

/**
 * Returns the script of the Scalar API reference for browsers (4.9 MB).
 *
 * The package is the smallest one that contains the script, but it does not export it: it serves it as a Fastify
 * plugin. So the plugin is registered with a substitute for Fastify, and the handler of its `.js` route is called.
 */
export function readScalarBundle(): string {
  // Not imported at the top: to load the package takes 0.1 s, and most starts of the service never serve the page.
  const { default: plugin } = require(packageName) as { readonly default: Plugin };
  let bundle: unknown;
  const reply = { header: () => reply, send: (body: unknown) => (bundle = body) };
  const route = ({ url, handler }: Route) => url.endsWith('.js') && handler(undefined, reply);
  plugin({ route }, { configuration: { url: 'openapi.json' } }, () => {});
  if (typeof bundle !== 'string') throw new Error(`${packageName} does not serve a script as it did.`);
  return bundle;
}
