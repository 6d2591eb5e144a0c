import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { stringify } from 'yaml';
import type { Language } from '../../lib/domain/language.ts';
import { demoAccount } from '../demo-account.ts';
import { readDocument } from '../openapi/read-document.ts';
import type { OpenApiDocument } from './openapi.ts';
import type { Context } from './render/context.ts';
import { type PageSettings, renderPage } from './render/page.ts';
import { pageTexts, textsIn } from './texts.ts';

/** What a site is made with. */
export interface SiteOptions {
  /** The address in front of `/apidev` in the samples. */
  readonly sampleUrl: string;
  /** What calls of the page need; without it nothing can be tried out. */
  readonly settings?: PageSettings | undefined;
  /** The addresses that the document names as its servers; by default those that it has. */
  readonly servers?: OpenApiDocument['servers'] | undefined;
  /** A content security policy in the page itself, for hosts that send none. */
  readonly policy?: string | undefined;
}

const folder = new URL('page/', import.meta.url);

/** What stands for a password where there are no demo data. */
const NO_PASSWORD = 'YOUR_PASSWORD';

/** The files of the documentation by their path, each made when it is asked for. */
export function siteFiles(options: SiteOptions): Readonly<Record<string, () => string>> {
  const document = (language: Language) => withServers(documentIn(language, options), options);
  return {
    'index.html': () => page('en', options),
    'es/index.html': () => page('es', options),
    'page.css': () => bundle('page.css'),
    'page.js': () => bundle('page.ts'),
    'early.js': () => bundle('early.ts'),
    'icon.svg': () => readFileSync(new URL('icon.svg', folder), 'utf8'),
    'openapi.json': () => JSON.stringify(document('en'), null, 2),
    'openapi.es.json': () => JSON.stringify(document('es'), null, 2),
    'openapi.yaml': () => stringify(document('en'), { aliasDuplicateObjects: false }),
  };
}

function page(language: Language, options: SiteOptions): string {
  const { sampleUrl, settings, policy } = options;
  const context: Context = {
    document: documentIn(language, options),
    language,
    texts: textsIn(pageTexts, language),
    sampleUrl,
    account: { ...demoAccount, ...(!hasDemoData(options) && { password: NO_PASSWORD }) },
    tryIt: settings !== undefined,
    hasDemoData: hasDemoData(options),
    root: language === 'en' ? '' : '../',
  };
  return renderPage(context, settings, policy);
}

/** Where there are no demo data, their password is that of nobody, and somebody might give it to a real user. */
function documentIn(language: Language, options: SiteOptions): OpenApiDocument {
  const document = readDocument(language) as OpenApiDocument;
  if (hasDemoData(options)) return document;
  return JSON.parse(JSON.stringify(document).replaceAll(demoAccount.password, NO_PASSWORD)) as OpenApiDocument;
}

function hasDemoData({ settings }: SiteOptions): boolean {
  return settings?.demo !== undefined;
}

function withServers(document: OpenApiDocument, { servers }: SiteOptions): OpenApiDocument {
  return servers === undefined ? document : { ...document, servers };
}

/** One file of a style or a script and all that it imports, without what only readers need. */
function bundle(name: string): string {
  const entry = fileURLToPath(new URL(name, folder));
  const { outputFiles } = buildSync({ entryPoints: [entry], bundle: true, minify: true, write: false, format: 'iife' });
  return outputFiles[0]?.text ?? '';
}
