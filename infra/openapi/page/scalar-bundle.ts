import { createRequire } from 'node:module';

const SCALAR_PACKAGE = '@scalar/fastify-api-reference';

/** The part of a plugin of Fastify that `readScalarBundle` uses. */
type Plugin = (host: { route(route: Route): void }, options: object, done: () => void) => void;

interface Route {
  readonly url: string;
  readonly handler: (request: unknown, reply: unknown) => void;
}

/** Matches the start of the function in the script that compares two search results: `sortFn:(e,t)=>Number(`. */
const RESULT_COMPARISON = /sortFn:\((?<first>\w+),(?<second>\w+)\)=>(?=Number\()/;

/** Reads the script of Scalar for browsers. Its search lists the legacy route last. Its short names would be first. */
export function readScalarBundle(): string {
  const bundle = readServedScript();
  if (!RESULT_COMPARISON.test(bundle)) throw new Error(`${SCALAR_PACKAGE} no longer compares search results.`);
  const isLegacy = 'r=>JSON.stringify(r.item).includes("/apidev/legacy/")';
  return bundle.replace(RESULT_COMPARISON, `$&(${isLegacy})($<first>)-(${isLegacy})($<second>)||`);
}

/** Reads the script with a substitute for Fastify, because the package exports only a plugin that serves the script. */
function readServedScript(): string {
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
