import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { stringify } from 'yaml';
import type { SampleAccount } from '../../../lib/contracts/contract.ts';
import type { Language } from '../../../lib/domain/language.ts';
import { buildFileHeaders, MEDIA_TYPES } from '../../../lib/http/serve-files.ts';
import { buildEventsDocument, buildOpenApiDocument, type OpenApiDocument } from '../document.ts';
import { PROGRAMS, readGuide, readProgram } from '../published-documents.ts';
import { DEMO_ACCOUNT } from '../sample-requests.ts';
import { type PageOptions, renderPage } from './reference-page.ts';
import { readScalarBundle } from './scalar-bundle.ts';

/** Builds the files of the documentation by path. Each value is a function that creates the text of its file. */
export function buildSiteFiles(options: PageOptions): Readonly<Record<string, () => string>> {
  const { apiUrl, demo } = options;
  // Without demo data, no account has the demo password, and a reader might set it for a real user.
  const hidePassword = (text: string) => (demo ? text : text.replaceAll(DEMO_ACCOUNT.password, 'YOUR_PASSWORD'));
  const buildDocument = (language: Language): OpenApiDocument => {
    const servers = apiUrl === undefined ? {} : { servers: [{ url: apiUrl }] };
    return JSON.parse(hidePassword(JSON.stringify({ ...buildOpenApiDocument(language), ...servers })));
  };
  const buildPage = (language: Language) => {
    const scalarHash = createHash('sha256').update(readScalarBundle()).digest('hex').slice(0, 16);
    return renderPage(buildDocument(language), language, scalarHash, options);
  };
  const readAsset = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
  return {
    'index.html': () => buildPage('en'),
    'es/index.html': () => buildPage('es'),
    'scalar.js': readScalarBundle,
    'reference.js': () => readAsset('reference.js'),
    'reference.css': () => readAsset('reference.css'),
    'icon.svg': () => readAsset('icon.svg'),
    'guide.md': () => hidePassword(readGuide('en')),
    'guide.es.md': () => hidePassword(readGuide('es')),
    ...Object.fromEntries(PROGRAMS.map((name) => [`programs/${name}`, () => hidePassword(readProgram(name))])),
    'openapi.json': () => JSON.stringify(buildDocument('en'), null, 2),
    'openapi.es.json': () => JSON.stringify(buildDocument('es'), null, 2),
    'events.json': () => JSON.stringify(buildEventsDocument(), null, 2),
    'openapi.yaml': () => stringify(buildDocument('en'), { aliasDuplicateObjects: false }),
  };
}

/** A response with a file, or with a redirection to another path. */
type FileReply = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string };

/**
 * Builds the responses of `npm start` by method and path: the files, and redirections to the page. The page contains the
 * credentials of the demo account, if there is one.
 */
export function buildDocsRoutes(demo: SampleAccount | undefined): Record<string, () => FileReply> {
  const routes: Record<string, () => FileReply> = {
    'GET /': () => buildRedirection('/docs/'),
    'GET /docs': () => buildRedirection('/docs/'),
    'GET /docs/es': () => buildRedirection('/docs/es/'),
  };
  for (const [name, createText] of Object.entries(buildSiteFiles({ apiUrl: '/', demo }))) {
    const headers = { ...buildFileHeaders(name), 'Content-Type': MEDIA_TYPES[extname(name)]! };
    const serve = () => ({ status: 200, headers, body: createText() });
    routes[`GET /docs/${name}`] = serve;
    if (name === 'index.html') routes['GET /docs/'] = serve;
    if (name === 'es/index.html') routes['GET /docs/es/'] = serve;
    // Programs look for the documents at the root.
    if (name.startsWith('openapi.') || name === 'events.json') routes[`GET /${name}`] = serve;
  }
  return routes;
}

function buildRedirection(location: string): FileReply {
  return { status: 302, headers: { ...buildFileHeaders(''), Location: location }, body: '' };
}
