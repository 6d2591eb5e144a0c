import { REFERENCE_POLICY } from '../../../lib/http/serve-files.ts';
import { readOptions } from '../../process/read-options.ts';
import { print } from '../../process/terminal.ts';
import { writeFiles } from '../../static-files.ts';
import { buildSiteFiles } from './site-files.ts';

/** Writes the documentation as a static site, which sends no requests. */
export function buildSite(folder: string): void {
  writeFiles(folder, buildSiteFiles({ policy: REFERENCE_POLICY }));
}

if (import.meta.main) {
  readOptions(`Usage: npm run docs

Writes the reference page, in English and Spanish, as a site in cdk.out/docs. Any host can serve the folder, and it also
opens from the disk.`);
  buildSite('cdk.out/docs');
  print('Written: cdk.out/docs (open index.html).');
}
