import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { ANSWER_HEADERS } from '../http/answer-headers.ts';

/** The media types of the page's files, by the end of their names. */
export const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.yaml': 'application/yaml',
};

/** The headers of every file of the page: it loads and calls nothing but its own origin. */
export const fileHeaders = {
  // Asked for anew every time: the files of another version have the same addresses.
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy':
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
} as const;

const headers = { ...ANSWER_HEADERS, ...fileHeaders };

interface ServedFile {
  readonly type: string;
  readonly body: string;
  readonly etag: string;
}

/**
 * Makes a Lambda handler that answers GET with the text files of a folder, by the path parameter `file`; without one it
 * leads to index.html.
 */
export function serveFiles(folder: string): (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult> {
  const files = new Map<string, ServedFile>();
  return async ({ path, requestContext, pathParameters, headers: asked }) => {
    if (files.size === 0) readFiles(folder, files);
    const name = (pathParameters?.['file'] ?? '').replace(/\/$/, '');
    if (files.has([name, 'index.html'].filter(Boolean).join('/'))) {
      // The path that the client sees begins with the stage, unless the API has a domain of its own.
      const seen = (requestContext.path ?? path).replace(/\/$/, '');
      return { statusCode: 302, headers: { ...headers, Location: `${seen}/index.html` }, body: '' };
    }
    const file = files.get(name);
    if (!file) return { statusCode: 404, headers: { ...headers, 'Content-Type': 'text/plain' }, body: 'Not found' };

    const answer = { ...headers, 'Content-Type': file.type, ETag: file.etag };
    const known = asked['If-None-Match'] ?? asked['if-none-match'];
    if (known === file.etag) return { statusCode: 304, headers: answer, body: '' };
    return { statusCode: 200, headers: answer, body: file.body };
  };
}

function readFiles(folder: string, files: Map<string, ServedFile>): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const body = readFileSync(file, 'utf8');
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    files.set(file.slice(folder.length + 1), { type: mediaTypes[extname(file)] ?? 'text/plain', body, etag });
  }
}
