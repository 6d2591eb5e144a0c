import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { RESPONSE_HEADERS } from './responses.ts';

export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  // Browsers show plain text, and download other types of text.
  '.md': 'text/plain; charset=utf-8',
  '.php': 'text/plain; charset=utf-8',
  '.py': 'text/plain; charset=utf-8',
};

/** The content security policy of the reference page: it loads and calls only its own origin. Scalar adds styles. */
export const REFERENCE_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'none'";

/** The policy of the page for clerks: it loads and calls only its own origin. Its guide contains its pictures. */
export const DECLARE_PAGE_POLICY =
  "default-src 'none'; script-src 'self'; worker-src 'self' blob:; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types default";

/**
 * Builds the headers of a file of a page. A browser keeps the script of Scalar, because its address contains a hash.
 * All other files have the same address in every version, so that a browser must ask for changes.
 */
export function buildFileHeaders(name: string, policy: string): Readonly<Record<string, string>> {
  return {
    'Cache-Control': name === 'scalar.js' ? 'public, max-age=31536000, immutable' : 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
  };
}

/**
 * Creates a Lambda handler that serves the text files of a folder. The path parameter `file` selects the file; without
 * it, the handler redirects to index.html.
 */
export function createFileHandler(
  folder: string,
  policy: string,
): (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult> {
  // The files are read by the first request, and kept for the lifetime of the process.
  let files: ReturnType<typeof readFiles> | undefined;
  return async ({ path, requestContext, pathParameters }) => {
    files ??= readFiles(folder);
    const name = (pathParameters?.['file'] ?? '').replace(/\/$/, '');
    const headers = { ...RESPONSE_HEADERS, ...buildFileHeaders(name, policy) };
    if (files.has(name === '' ? 'index.html' : `${name}/index.html`)) {
      // The path that the client sees begins with the stage, unless the API has a domain of its own.
      const clientPath = (requestContext.path ?? path).replace(/\/$/, '');
      return { statusCode: 302, headers: { ...headers, Location: `${clientPath}/index.html` }, body: '' };
    }
    const file = files.get(name);
    if (!file) return { statusCode: 404, headers: { ...headers, 'Content-Type': 'text/plain' }, body: 'Not found' };

    return { statusCode: 200, headers: { ...headers, 'Content-Type': file.type }, body: file.body };
  };
}

function readFiles(folder: string) {
  const files = new Map<string, { readonly type: string; readonly body: string }>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const body = readFileSync(path, 'utf8');
    files.set(path.slice(folder.length + 1), { type: MEDIA_TYPES[extname(path)] ?? 'text/plain', body });
  }
  return files;
}
