import { readOptions } from '../command-line.ts';
import { print, printError } from '../terminal.ts';
import { buildSite, SiteError } from './build-site.ts';

const usage = `Usage: npm run docs -- [FOLDER] [--base-url URL]

Writes the reference page, in English and Spanish, as a site that any host serves. It also opens from the disk.

  FOLDER           where to write; by default cdk.out/docs
  --base-url URL   the address of the service, in front of /apidev: samples name it, and calls can be tried out

Without --base-url nothing can be tried out. With it the page calls the service at URL. The API sends no CORS
headers, so calls work only where the page has the same origin as the API (published beside it), or where a proxy
in front of the API adds the headers.`;

const { folder, baseUrl } = readOptions(
  usage,
  { 'base-url': { type: 'string' } },
  (values, words) => {
    if (words.length > 1) throw new Error('Name one folder.');
    return { folder: words[0] ?? 'cdk.out/docs', baseUrl: values['base-url'] };
  },
  { takesWords: true },
);

try {
  buildSite(folder, { baseUrl });
  print(`Written: ${folder} (open index.html).`);
} catch (error) {
  printError(error instanceof SiteError ? error.message : error);
  process.exitCode = 1;
}
