import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { ANSWER_HEADERS } from '../http/answer-headers.ts';
import { fileHeaders, mediaTypes } from './file-headers.ts';

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
