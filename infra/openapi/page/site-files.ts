import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { SampleAccount } from '../../../lib/contracts/contract.ts';
import type { Language } from '../../../lib/domain/language.ts';
import { REFERENCE_POLICY } from '../../../lib/http/serve-files.ts';
import { buildFileRoutes, redirect, type StaticFiles } from '../../static-files.ts';
import { buildEventsDocument, buildOpenApiDocument, type OpenApiDocument } from '../document.ts';
import { PROGRAMS, readGuide, readProgram } from '../published-documents.ts';
import { DEMO_ACCOUNT } from '../sample-requests.ts';
import { renderPage } from './reference-page.ts';
import { readScalarBundle } from './scalar-bundle.ts';

/** Builds the files of the documentation, each when it is read. `demo` is the account of the demo data, if any. */
export function buildSiteFiles(demo?: SampleAccount): StaticFiles {
  // Without demo data, no account has the demo password. A reader who sees it could set it for a real user.
  const hidePassword = (text: string) => (demo ? text : text.replaceAll(DEMO_ACCOUNT.password, 'YOUR_PASSWORD'));
  const buildDocument = (language: Language): OpenApiDocument => {
    // The API is one level above the folder of the documents.
    const document = { ...buildOpenApiDocument(language), servers: [{ url: '..' }] };
    return JSON.parse(hidePassword(JSON.stringify(document)));
  };
  const buildPage = (language: Language) => {
    const scalarHash = createHash('sha256').update(readScalarBundle()).digest('hex').slice(0, 16);
    return renderPage(buildDocument(language), language, scalarHash, demo);
  };
  const readAsset = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
  const programs = PROGRAMS.map((name) => [`programs/${name}`, () => hidePassword(readProgram(name))] as const);
  return {
    'index.html': () => buildPage('en'),
    'es/index.html': () => buildPage('es'),
    'scalar.js': readScalarBundle,
    'reference.js': () => readAsset('reference.js'),
    'reference.css': () => readAsset('reference.css'),
    'icon.svg': () => readAsset('icon.svg'),
    'guide.md': () => hidePassword(readGuide('en')),
    'guide.es.md': () => hidePassword(readGuide('es')),
    ...Object.fromEntries(programs),
    'openapi.json': () => JSON.stringify(buildDocument('en'), null, 2),
    'openapi.es.json': () => JSON.stringify(buildDocument('es'), null, 2),
    'events.json': () => JSON.stringify(buildEventsDocument(), null, 2),
  };
}

/** Builds the routes of `npm start` for the documentation, by method and path. */
export function buildDocsRoutes(demo: SampleAccount | undefined) {
  const files = buildSiteFiles(demo);
  // Tools for integrators expect documents such as `/openapi.json` at the root, too.
  const documents = Object.entries(files).filter(([name]) => name.endsWith('.json'));
  return {
    ...buildFileRoutes('/docs', files, REFERENCE_POLICY),
    ...buildFileRoutes('', Object.fromEntries(documents), REFERENCE_POLICY),
    'GET /': () => redirect('/docs/', REFERENCE_POLICY),
  };
}
