import { extname } from 'node:path';
import { fileHeaders, mediaTypes } from '../../lib/docs/file-headers.ts';
import type { DemoAccount } from '../demo-account.ts';
import { siteFiles } from './site-files.ts';

/** A file of the page, as it is served. */
export interface PageFile {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The address that stands in the samples until the page puts its own in its place. */
const sampleUrl = 'http://127.0.0.1:3000';

/**
 * The interface for people and for tools, by path, each made with the first request for it; the page fills in the
 * credentials of the demo account, if there is one.
 */
export function docsPages(demo: DemoAccount | undefined): Readonly<Record<string, () => PageFile>> {
  // Calls made from the page go to the service that serves it.
  const files = siteFiles({ sampleUrl, settings: { baseUrl: '', demo }, servers: [{ url: '/' }] });
  const pages = Object.entries(files).map(([name, make]) => [name, servedFile(name, make)] as const);
  const documents = pages.filter(([name]) => name.startsWith('openapi.'));
  const { 'index.html': english, 'es/index.html': spanish } = Object.fromEntries(pages);
  return {
    ...Object.fromEntries(pages.map(([name, served]) => [`/docs/${name}`, served])),
    ...Object.fromEntries(documents.map(([name, served]) => [`/${name}`, served])),
    '/docs/': english!,
    '/docs/es/': spanish!,
    '/docs': () => redirect('/docs/'),
    '/docs/es': () => redirect('/docs/es/'),
  };
}

function servedFile(name: string, make: () => string): () => PageFile {
  const headers = { ...fileHeaders, 'Content-Type': mediaTypes[extname(name)]! };
  let body: string | undefined;
  return () => ({ status: 200, headers, body: (body ??= make()) });
}

function redirect(location: string): PageFile {
  return { status: 302, headers: { ...fileHeaders, Location: location }, body: '' };
}
