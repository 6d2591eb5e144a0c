import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isConfidential } from '../../../lib/client/index.ts';
import { CONTENT_POLICY } from '../../../lib/http/serve-files.ts';
import { readOptions } from '../../process/read-options.ts';
import { CommandError, exitWithError, print } from '../../process/terminal.ts';
import { SITE_GENERATOR } from './reference-page.ts';
import { buildSiteFiles } from './site-files.ts';

const USAGE = `Usage: npm run docs -- [FOLDER] [--base-url URL]

Writes the reference page, in English and Spanish, as a site that any host can serve. It also opens from the disk.

  FOLDER           the folder of the site; by default cdk.out/docs
  --base-url URL   the address of the service, without /apidev; the page sends its requests there

Without --base-url, the page sends no requests. The API sends no CORS headers, so requests work only if the page
has the same origin as the API, or if a proxy in front of the API adds the headers.`;

/** Writes the documentation as a static site, and replaces a previous one. With a base URL, the page calls the API at this address. */
export function buildSite(folder: string, baseUrl?: string): void {
  const apiUrl = baseUrl === undefined ? undefined : parseBaseUrl(baseUrl);
  // Allows the page to send requests to the origin of the API.
  const connectSource = apiUrl === undefined ? '' : `; connect-src 'self' ${new URL(apiUrl).origin}`;
  const files = buildSiteFiles({ apiUrl, policy: CONTENT_POLICY + connectSource });
  requireReplaceable(folder, Object.keys(files));
  try {
    writeFiles(folder, files);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new CommandError(`The folder ${folder} cannot be written: ${error.message}.`);
  }
}

/** Writes the files that `buildSiteFiles` returns into a folder. */
export function writeFiles(folder: string, files: Readonly<Record<string, () => string>>): void {
  for (const [name, createText] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, createText());
  }
}

/** Parses an address such as `https://portal.example/live/`, and returns it without a trailing slash. */
function parseBaseUrl(text: string): string {
  const url = URL.parse(text);
  const hasOnlyPath = url !== null && url.href === url.origin + url.pathname;
  // `isConfidential` is true for https://, and for http:// to this machine.
  if (!hasOnlyPath || !isConfidential(text) || /\/apidev(\/|$)/.test(url.pathname)) {
    throw new CommandError(
      `--base-url takes an https:// address without /apidev, credentials or query, such as https://portal.example, not '${text}'. Only an address of this machine can begin with http://.`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** Throws a CommandError if a folder contains anything except a previous site. */
function requireReplaceable(folder: string, siteFiles: readonly string[]): void {
  if (folder.trim() === '') throw new CommandError('The name of the folder is empty: nothing was written.');
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) throw new CommandError(`${folder} is a file. Pass the name of a folder.`);
  const entries = readdirSync(folder);
  if (entries.length === 0) return;
  // The first part of a name such as `es/index.html` is an entry of the folder.
  const siteEntries = siteFiles.map((name) => name.split('/')[0]);
  const otherEntries = entries.filter((entry) => !siteEntries.includes(entry));
  const index = join(folder, 'index.html');
  const isPreviousSite = existsSync(index) && readFileSync(index, 'utf8').includes(`content="${SITE_GENERATOR}"`);
  if (isPreviousSite && otherEntries.length === 0) return;
  // Three names are enough to recognize the folder.
  const content = otherEntries.slice(0, 3).join(', ') || 'another site';
  throw new CommandError(`${folder} contains ${content}: nothing was written. Pass a new or an empty folder.`);
}

if (import.meta.main) {
  const { folder, baseUrl } = readOptions(
    USAGE,
    { 'base-url': { type: 'string' } },
    (values, words) => {
      if (words.length > 1) throw new Error('Pass only one folder.');
      return { folder: words[0] ?? 'cdk.out/docs', baseUrl: values['base-url'] };
    },
    { takesWords: true },
  );
  try {
    buildSite(folder, baseUrl);
    print(`Written: ${folder} (open index.html).`);
  } catch (error) {
    exitWithError(error);
  }
}
