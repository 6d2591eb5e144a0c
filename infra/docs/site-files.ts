import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { stringify } from 'yaml';
import type { Language } from '../../lib/domain/language.ts';
import { demoAccount } from '../demo-account.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import { eventsDocument } from '../openapi/events-document.ts';
import { readDocument } from '../openapi/read-document.ts';
import type { SiteOptions } from './render/context.ts';
import { renderPage } from './render/page.ts';
import { pageTexts, textsIn } from './texts.ts';

const folder = new URL('page/', import.meta.url);

/** The files of the documentation by their path, each made when it is asked for. */
export function siteFiles(options: SiteOptions): Readonly<Record<string, () => string>> {
  // Where there are no demo data, their password is that of nobody, and somebody might give it to a real user.
  const password = options.settings?.demo?.password ?? 'YOUR_PASSWORD';
  const document = (language: Language): OpenApiDocument => {
    const text = JSON.stringify({ ...readDocument(language), ...(options.servers && { servers: options.servers }) });
    return JSON.parse(text.replaceAll(demoAccount.password, password));
  };
  const page = (language: Language) =>
    renderPage({
      ...options,
      document: document(language),
      language,
      texts: textsIn(pageTexts, language),
      account: { ...demoAccount, password },
      root: language === 'en' ? '' : '../',
    });
  return {
    'index.html': () => page('en'),
    'es/index.html': () => page('es'),
    'page.css': () => bundle('page.css'),
    'page.js': () => bundle('page.ts'),
    'early.js': () => bundle('early.ts'),
    'icon.svg': () => readFileSync(new URL('icon.svg', folder), 'utf8'),
    'openapi.json': () => JSON.stringify(document('en'), null, 2),
    'openapi.es.json': () => JSON.stringify(document('es'), null, 2),
    'events.json': () => JSON.stringify(eventsDocument(), null, 2),
    'openapi.yaml': () => stringify(document('en'), { aliasDuplicateObjects: false }),
  };
}

/** One file of a style or a script and all that it imports, without what only readers need. */
function bundle(name: string): string {
  const entry = fileURLToPath(new URL(name, folder));
  const { outputFiles } = buildSync({ entryPoints: [entry], bundle: true, minify: true, write: false, format: 'iife' });
  return outputFiles[0]?.text ?? '';
}
