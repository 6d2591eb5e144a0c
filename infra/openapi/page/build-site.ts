import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CONTENT_POLICY } from '../../../lib/http/serve-files.ts';
import { readOptions } from '../../process/read-options.ts';
import { CommandError, exitWithError, print } from '../../process/terminal.ts';
import { SITE_GENERATOR } from './reference-page.ts';
import { buildSiteFiles } from './site-files.ts';

const USAGE = `Usage: npm run docs -- [FOLDER]

Writes the reference page, in English and Spanish, as a site that any host can serve. It also opens from the disk.

  FOLDER   the folder of the site; by default cdk.out/docs`;

/** Writes the documentation as a static site, which sends no requests, and replaces a previous one. */
export function buildSite(folder: string): void {
  try {
    requireReplaceable(folder);
    writeFiles(folder, buildSiteFiles({ policy: CONTENT_POLICY }));
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new CommandError(`The folder ${folder} cannot be written: ${error.message}.`);
  }
}

/** Throws a CommandError unless a folder is new or empty, or contains a previous site. */
function requireReplaceable(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return;
  const index = join(folder, 'index.html');
  if (existsSync(index) && readFileSync(index, 'utf8').includes(`content="${SITE_GENERATOR}"`)) return;
  throw new CommandError(`${folder} contains other files: nothing was written. Pass a new or an empty folder.`);
}

/** Writes the files that `buildSiteFiles` returns into a folder. */
export function writeFiles(folder: string, files: Readonly<Record<string, () => string>>): void {
  for (const [name, createText] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, createText());
  }
}

if (import.meta.main) {
  const folder = readOptions(
    USAGE,
    {},
    (_values, words) => {
      if (words.length > 1) throw new Error('Pass only one folder.');
      return words[0] || 'cdk.out/docs';
    },
    { takesWords: true },
  );
  try {
    buildSite(folder);
    print(`Written: ${folder} (open index.html).`);
  } catch (error) {
    exitWithError(error);
  }
}
