import { createRequire } from 'node:module';

const SCALAR_PACKAGE = '@scalar/fastify-api-reference';

/** A plugin of Fastify: a function that adds routes to a server. */
type Plugin = (server: { route(route: Route): void }, options: object, done: () => void) => void;

interface Route {
  readonly url: string;
  readonly handler: (request: unknown, reply: unknown) => void;
}

/**
 * Reads the script of Scalar for browsers. The package exports only a plugin of Fastify with a route that serves the
 * script. This function passes a substitute for the server to the plugin, and calls the handler of the route.
 */
export function readScalarBundle(): string {
  // The package is not imported at the top, because it takes 0.1 s to load, and most starts never serve the page.
  const require = createRequire(import.meta.url);
  const { default: addScalarRoutes } = require(SCALAR_PACKAGE) as { readonly default: Plugin };
  const routes: Route[] = [];
  const server = { route: (route: Route) => routes.push(route) };
  addScalarRoutes(server, { configuration: { url: 'openapi.json' } }, () => {});
  const scriptRoute = routes.find(({ url }) => url.endsWith('.js'));
  const sentBodies: unknown[] = [];
  const reply = { header: () => reply, send: (body: unknown) => sentBodies.push(body) };
  scriptRoute?.handler(undefined, reply);
  const [script] = sentBodies;
  if (typeof script !== 'string') throw new Error(`${SCALAR_PACKAGE} no longer serves a script.`);
  return script;
}
