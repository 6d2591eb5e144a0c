import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A file of the page, as it is served. */
export interface PageFile {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

const styleSheets = ['palette', 'elements', 'contents', 'page', 'operations', 'inputs', 'answers', 'schemas'];
const scripts = ['page', 'find', 'navigation', 'session', 'credentials', 'tenant', 'layout'];

const headers = {
  // Asked for anew every time: the files of another version have the same addresses.
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** The interface for people and for tools, by path; the page fills in the credentials of the demo account, if there is one. */
export function docsPages(
  demo: { readonly tenant: string; readonly apiKey: string } | undefined,
): Readonly<Record<string, () => PageFile>> {
  const account = demo === undefined ? null : { tenant: demo.tenant, apiKey: demo.apiKey };
  return {
    '/docs': own('index.html', 'text/html; charset=utf-8'),
    '/docs/icon.svg': own('icon.svg', 'image/svg+xml'),
    ...Object.fromEntries(
      styleSheets.map((name) => [`/docs/${name}.css`, own(`${name}.css`, 'text/css; charset=utf-8')]),
    ),
    ...Object.fromEntries(scripts.map((name) => [`/docs/${name}.js`, own(`${name}.js`, javaScript)])),
    '/docs/renderer.js': file(renderer, javaScript),
    '/docs/account.json': () => json(account),
    '/openapi.json': () => json(openApiDocument()),
  };
}

const javaScript = 'text/javascript; charset=utf-8';
const renderer = createRequire(import.meta.url).resolve('swagger-ui-dist/swagger-ui-bundle.js');

/** Calls made from the page go to the service that serves it. */
function openApiDocument(): object {
  const document = readFileSync(new URL('../openapi/openapi.json', import.meta.url), 'utf8');
  return { ...(JSON.parse(document) as object), servers: [{ url: '/' }] };
}

function own(name: string, contentType: string): () => PageFile {
  return file(new URL(`page/${name}`, import.meta.url), contentType);
}

function file(path: string | URL, contentType: string): () => PageFile {
  return () => ({ status: 200, headers: { ...headers, 'Content-Type': contentType }, body: readFileSync(path) });
}

function json(value: unknown): PageFile {
  return { status: 200, headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(value) };
}
