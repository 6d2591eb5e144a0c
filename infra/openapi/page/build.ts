import { readOptions } from '../../command-line.ts';
import { endWith, print } from '../../terminal.ts';
import { buildSite } from './build-site.ts';

const usage = `Usage: npm run docs -- [FOLDER] [--base-url URL]

Write the reference page, in English and Spanish, as a site that any host can serve. It also opens from the disk.

  FOLDER           where to write; by default cdk.out/docs
  --base-url URL   the address of the service, in front of /apidev: the page sends requests to it

Without --base-url, the page sends no requests. The API sends no CORS headers, so requests work only if the page
has the same origin as the API (published beside it), or if a proxy in front of the API adds the headers.`;

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
  endWith(error);
}
