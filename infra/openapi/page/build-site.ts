import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CONTENT_POLICY } from '../../../lib/http/serve-files.ts';
import { readOptions } from '../../process/read-options.ts';
import { print } from '../../process/terminal.ts';
import { buildSiteFiles } from './site-files.ts';

/** Writes the documentation as a static site, which sends no requests. */
export function buildSite(folder: string): void {
  writeFiles(folder, buildSiteFiles({ policy: CONTENT_POLICY }));
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
  readOptions(`Usage: npm run docs

Writes the reference page, in English and Spanish, as a site in cdk.out/docs. Any host can serve the folder, and it also
opens from the disk.`);
  buildSite('cdk.out/docs');
  print('Written: cdk.out/docs (open index.html).');
}
