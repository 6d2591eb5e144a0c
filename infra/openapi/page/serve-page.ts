import { extname } from 'node:path';
import type { SampleAccount } from '../../../lib/contracts/contract.ts';
import { fileHeaders, mediaTypes } from '../../../lib/http/serve-files.ts';
import { siteFiles } from './site-files.ts';

/**
 * Returns the reference page and the documents by method and path, and leads from `/` to the page. Each file is created
 * at its first request. The page contains the credentials of the demo account, if there is one.
 */
export function docsPages(demo: SampleAccount | undefined) {
  const pages = {
    'GET /': () => redirect('/docs/'),
    'GET /docs': () => redirect('/docs/'),
    'GET /docs/es': () => redirect('/docs/es/'),
  };
  const files = Object.entries(siteFiles({ apiUrl: '/', demo })).flatMap(([name, make]) => {
    const served = servedFile(name, make);
    const atRoot = name.startsWith('openapi.') || name === 'events.json' ? [`/${name}`] : [];
    const paths = [`/docs/${name}`, `/docs/${name.replace(/index\.html$/, '')}`, ...atRoot];
    return paths.map((path) => [`GET ${path}`, served] as const);
  });
  return { ...pages, ...Object.fromEntries(files) };
}

function servedFile(name: string, make: () => string) {
  const headers = { ...fileHeaders(name), 'Content-Type': mediaTypes[extname(name)]! };
  let body: string | undefined;
  return () => ({ status: 200, headers, body: (body ??= make()) });
}

function redirect(location: string) {
  return { status: 302, headers: { ...fileHeaders(''), Location: location }, body: '' };
}
