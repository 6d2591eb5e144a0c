import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, posix } from 'node:path';
import { buildFileHeaders, MEDIA_TYPES } from '../lib/http/serve-files.ts';

/** The files of a page by path. Each value is a function that creates the contents of its file. */
export type StaticFiles = Readonly<Record<string, () => string>>;

/** A response with a file, or with a redirection to another path. */
type FileReply = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** Writes the files of a page into a folder. */
export function writeFiles(folder: string, files: StaticFiles): void {
  for (const [name, createText] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, createText());
  }
}

/** Builds the routes of `npm start` for the files of a page, by method and path. `policy` is a content security policy. */
export function buildFileRoutes(path: string, files: StaticFiles, policy: string) {
  const routes: Record<string, () => FileReply> = {};
  for (const [name, createText] of Object.entries(files)) {
    const headers = { ...buildFileHeaders(name, policy), 'Content-Type': MEDIA_TYPES[extname(name)] ?? 'text/plain' };
    const serve = () => ({ status: 200, headers, body: createText() });
    routes[`GET ${path}/${name}`] = serve;
    if (basename(name) !== 'index.html') continue;
    // The path of a folder, such as `/docs/es/`, leads to its index.html. Relative links need the slash at the end.
    const folder = posix.join(path, dirname(name));
    routes[`GET ${folder}/`] = serve;
    routes[`GET ${folder}`] = () => redirect(`${folder}/`, policy);
  }
  return routes;
}

/** Builds a redirection to another path. */
export function redirect(location: string, policy: string): FileReply {
  return { status: 302, headers: { ...buildFileHeaders('', policy), Location: location }, body: '' };
}
