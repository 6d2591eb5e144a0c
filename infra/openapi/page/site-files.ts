import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { stringify } from 'yaml';
import type { SampleAccount } from '../../../lib/contracts/contract.ts';
import type { Language } from '../../../lib/domain/language.ts';
import { fileHeaders, mediaTypes } from '../../../lib/http/serve-files.ts';
import { buildEventsDocument, type OpenApiDocument } from '../document.ts';
import { readGuide, readDocument } from '../published-documents.ts';
import { demoAccount } from '../sample-requests.ts';
import { type PageOptions, renderPage } from './reference-page.ts';

/** Returns the files of the documentation by path. Each one is made when its function is called. */
export function buildSiteFiles(options: PageOptions): Readonly<Record<string, () => string>> {
  const { apiUrl, demo } = options;
  // Without demo data, no account has the demo password, and a reader might set it for a real user.
  const hidePassword = (text: string) => (demo ? text : text.replaceAll(demoAccount.password, 'YOUR_PASSWORD'));
  const document = (language: Language): OpenApiDocument => {
    const servers = apiUrl === undefined ? {} : { servers: [{ url: apiUrl }] };
    return JSON.parse(hidePassword(JSON.stringify({ ...readDocument(language), ...servers })));
  };
  const page = (language: Language) => {
    const version = createHash('sha256').update(readScalarBundle()).digest('hex').slice(0, 16);
    return renderPage(document(language), language, version, options);
  };
  const readAsset = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
  return {
    'index.html': () => page('en'),
    'es/index.html': () => page('es'),
    'scalar.js': readScalarBundle,
    'reference.js': () => readAsset('reference.js'),
    'reference.css': () => readAsset('reference.css'),
    'icon.svg': () => readAsset('icon.svg'),
    'guide.md': () => hidePassword(readGuide('en')),
    'guide.es.md': () => hidePassword(readGuide('es')),
    'openapi.json': () => JSON.stringify(document('en'), null, 2),
    'openapi.es.json': () => JSON.stringify(document('es'), null, 2),
    'events.json': () => JSON.stringify(buildEventsDocument(), null, 2),
    'openapi.yaml': () => stringify(document('en'), { aliasDuplicateObjects: false }),
  };
}

/**
 * Returns the files by method and path, as `npm start` serves them, and leads from `/` to the page. Each file is created
 * at its first request. The page contains the credentials of the demo account, if there is one.
 */
export function buildDocsPages(demo: SampleAccount | undefined) {
  const redirect = (Location: string) => () => {
    return { status: 302, headers: { ...fileHeaders(''), Location }, body: '' };
  };
  const files = Object.entries(buildSiteFiles({ apiUrl: '/', demo })).flatMap(([name, make]) => {
    const headers = { ...fileHeaders(name), 'Content-Type': mediaTypes[extname(name)]! };
    let body: string | undefined;
    const serve = () => ({ status: 200, headers, body: (body ??= make()) });
    const atRoot = name.startsWith('openapi.') || name === 'events.json' ? [`/${name}`] : [];
    const paths = [`/docs/${name}`, `/docs/${name.replace(/index\.html$/, '')}`, ...atRoot];
    return paths.map((path) => [`GET ${path}`, serve] as const);
  });
  return {
    'GET /': redirect('/docs/'),
    'GET /docs': redirect('/docs/'),
    'GET /docs/es': redirect('/docs/es/'),
    ...Object.fromEntries(files),
  };
}

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
