import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';

/** A file of the page, as it is served. */
export interface PageFile {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

const headers = {
  // Asked for anew every time: the files of another version have the same addresses.
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const folder = new URL('page/', import.meta.url);
const renderer = createRequire(import.meta.url).resolve('swagger-ui-dist/swagger-ui-bundle.js');

/**
 * The interface for people and for tools, by path; the page fills in the credentials of the demo account, if there is
 * one.
 */
export function docsPages(
  demo: { readonly tenant: string; readonly apiKey: string } | undefined,
): Readonly<Record<string, () => PageFile>> {
  const account = demo === undefined ? null : { tenant: demo.tenant, apiKey: demo.apiKey };
  const names = readdirSync(folder).filter((name) => extname(name) in contentTypes);
  return {
    ...Object.fromEntries(names.map((name) => [addressOf(name), () => file(new URL(name, folder))])),
    '/docs/renderer.js': () => file(renderer),
    '/docs/account.json': () => json(account),
    '/openapi.json': () => json(openApiDocument()),
  };
}

function addressOf(name: string): string {
  return name === 'index.html' ? '/docs' : `/docs/${name}`;
}

/** Calls made from the page go to the service that serves it. */
function openApiDocument(): object {
  const document = readFileSync(new URL('../openapi/openapi.json', import.meta.url), 'utf8');
  return { ...(JSON.parse(document) as object), servers: [{ url: '/' }] };
}

function file(path: string | URL): PageFile {
  return answer(contentTypes[extname(String(path))]!, readFileSync(path));
}

function json(value: unknown): PageFile {
  return answer('application/json', JSON.stringify(value));
}

function answer(contentType: string, body: string | Buffer): PageFile {
  return { status: 200, headers: { ...headers, 'Content-Type': contentType }, body };
}
