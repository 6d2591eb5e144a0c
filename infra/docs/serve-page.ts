import { extname } from 'node:path';
import { fileHeaders, mediaTypes } from '../../lib/docs/serve-files.ts';
import type { DemoAccount } from '../demo-account.ts';
import { siteFiles } from './site-files.ts';

/** A served file of the page. */
export interface PageFile {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Returns the reference page and the documents by path. Each file is created at its first request. The page contains
 * the credentials of the demo account, if there is one.
 */
export function docsPages(demo: DemoAccount | undefined): Readonly<Record<string, () => PageFile>> {
  const files = siteFiles({ apiUrl: '/', demo });
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
  const headers = { ...fileHeaders(name), 'Content-Type': mediaTypes[extname(name)]! };
  let body: string | undefined;
  return () => ({ status: 200, headers, body: (body ??= make()) });
}

function redirect(location: string): PageFile {
  return { status: 302, headers: { ...fileHeaders(''), Location: location }, body: '' };
}
