import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isConfidential } from '../../lib/client/index.ts';
import { generator } from './render/page.ts';
import { siteFiles } from './site-files.ts';

/** Says why no site can be made; the message is a sentence for whoever asked for it. */
export class SiteError extends Error {}

/** The address in the samples of a site that names none. */
const exampleUrl = 'https://portal.example';

/** Writes the documentation as a static site, in place of one that was written there before. */
export function buildSite(folder: string, { baseUrl }: { readonly baseUrl?: string | undefined }): void {
  const address = baseUrl === undefined ? undefined : checkAddress(baseUrl);
  const files = siteFiles({
    sampleUrl: address ?? exampleUrl,
    settings: address === undefined ? undefined : { baseUrl: address, demo: undefined },
    servers: address === undefined ? undefined : [{ url: address }],
    policy: policyFor(address),
  });
  checkFolder(folder, Object.keys(files));
  try {
    writeFiles(folder, files);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new SiteError(`The folder ${folder} cannot be written: ${error.message}.`);
  }
}

/** Writes the files of a site, see `siteFiles`, into a folder. */
export function writeFiles(folder: string, files: Readonly<Record<string, () => string>>): void {
  for (const [name, make] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, make());
  }
}

/** The address in front of `/apidev`, without a slash at its end. */
function checkAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null || url.href !== url.origin + url.pathname)
    throw new SiteError(`${text || 'An empty text'} is no address of the service, such as https://portal.example.`);
  if (!isConfidential(text))
    throw new SiteError(`${text} must begin with https:// (http:// is for this machine alone).`);
  const address = url.href.replace(/\/+$/, '');
  if (/\/apidev(\/|$)/.test(address))
    throw new SiteError(`${text} must end in front of /apidev: the page adds the rest of each path itself.`);
  return address;
}

/** What the page may load and call, for hosts that send no policy of their own. */
function policyFor(address: string | undefined): string {
  const calls = address === undefined ? '' : `; connect-src 'self' ${new URL(address).origin}`;
  return `default-src 'self'; object-src 'none'${calls}; base-uri 'none'; form-action 'none'`;
}

/** Refuses a folder that holds anything else than a site that was written before. */
function checkFolder(folder: string, names: readonly string[]): void {
  if (folder.trim() === '') throw new SiteError('The name of the folder is empty: nothing was written.');
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) throw new SiteError(`${folder} is a file: name a folder.`);
  const entries = readdirSync(folder);
  if (entries.length === 0) return;
  const ours = new Set(names.map((name) => name.split('/')[0]));
  const foreign = entries.filter((entry) => !ours.has(entry));
  const index = join(folder, 'index.html');
  const isEarlier = existsSync(index) && readFileSync(index, 'utf8').includes(`content="${generator}"`);
  if (isEarlier && foreign.length === 0) return;
  const reason = foreign.length > 0 ? `holds ${foreign.slice(0, 3).join(', ')}` : 'holds another site';
  throw new SiteError(`${folder} ${reason}: nothing was written. Name a new or an empty folder.`);
}
