import { extname } from 'node:path';
import { fileHeaders, mediaTypes } from '../../lib/docs/serve-files.ts';
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
  const pages: Record<string, () => PageFile> = {
    '/docs': () => redirect('/docs/'),
    '/docs/es': () => redirect('/docs/es/'),
  };
  for (const [name, make] of Object.entries(files)) {
    const served = servedFile(name, make);
    pages[`/docs/${name}`] = served;
    if (name.endsWith('index.html')) pages[`/docs/${name.replace('index.html', '')}`] = served;
    if (name.startsWith('openapi.') || name === 'events.json') pages[`/${name}`] = served;
  }
  return pages;
}

function servedFile(name: string, make: () => string): () => PageFile {
  const headers = { ...fileHeaders, 'Content-Type': mediaTypes[extname(name)]! };
  let body: string | undefined;
  return () => ({ status: 200, headers, body: (body ??= make()) });
}

function redirect(location: string): PageFile {
  return { status: 302, headers: { ...fileHeaders, Location: location }, body: '' };
}
