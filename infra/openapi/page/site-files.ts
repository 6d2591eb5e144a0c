import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stringify } from 'yaml';
import type { Language } from '../../../lib/domain/language.ts';
import { demoAccount } from '../sample-requests.ts';
import type { OpenApiDocument } from '../document.ts';
import { eventsDocument } from '../events-document.ts';
import { guideText, readDocument } from '../read-document.ts';
import { type PageOptions, renderPage } from './reference-page.ts';
import { readScalarBundle } from './scalar-bundle.ts';

/** Returns the files of the documentation by path. Each one is made when its function is called. */
export function siteFiles(options: PageOptions): Readonly<Record<string, () => string>> {
  const { apiUrl, demo } = options;
  // Without demo data, no account has the demo password, and a reader might set it for a real user.
  const hidePassword = (text: string) => (demo ? text : text.replaceAll(demoAccount.password, 'YOUR_PASSWORD'));
  const document = (language: Language): OpenApiDocument => {
    const servers = apiUrl === undefined ? {} : { servers: [{ url: apiUrl }] };
    return JSON.parse(hidePassword(JSON.stringify({ ...readDocument(language), ...servers })));
  };
  const page = (language: Language) =>
    renderPage(document(language), language, computeHash(readScalarBundle()), options);
  return {
    'index.html': () => page('en'),
    'es/index.html': () => page('es'),
    'scalar.js': readScalarBundle,
    'reference.js': () => readAsset('reference.js'),
    'reference.css': () => readAsset('reference.css'),
    'icon.svg': () => readAsset('icon.svg'),
    'guide.md': () => hidePassword(guideText('en')),
    'guide.es.md': () => hidePassword(guideText('es')),
    'openapi.json': () => JSON.stringify(document('en'), null, 2),
    'openapi.es.json': () => JSON.stringify(document('es'), null, 2),
    'events.json': () => JSON.stringify(eventsDocument(), null, 2),
    'openapi.yaml': () => stringify(document('en'), { aliasDuplicateObjects: false }),
  };
}

function readAsset(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

function computeHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
