import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { documentFile } from '../openapi/document-file.ts';
import { jsonReply } from './reply.ts';
import type { Reply } from './reply.ts';

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Supplier Portal Invoice Service</title>
    <link rel="stylesheet" href="/_local/docs/swagger-ui.css">
  </head>
  <body>
    <div id="docs"></div>
    <script src="/_local/docs/swagger-ui-bundle.js"></script>
    <script>SwaggerUIBundle({ url: '/_local/openapi.json', dom_id: '#docs', deepLinking: true });</script>
  </body>
</html>
`;

/** The interface for people and for tools, by path. */
export const docsPages: Readonly<Record<string, () => Reply>> = {
  '/_local/docs': () => ({ status: 200, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: page }),
  '/_local/docs/swagger-ui.css': () => asset('swagger-ui.css', 'text/css'),
  '/_local/docs/swagger-ui-bundle.js': () => asset('swagger-ui-bundle.js', 'text/javascript'),
  '/_local/openapi.json': () => jsonReply(200, openApiDocument()),
};

/** Calls made from the page go to the service that serves it. */
function openApiDocument(): object {
  const document = readFileSync(documentFile, 'utf8');
  return { ...(JSON.parse(document) as object), servers: [{ url: '/' }] };
}

function asset(name: string, contentType: string): Reply {
  const file = createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
  return { status: 200, headers: { 'Content-Type': contentType }, body: readFileSync(file) };
}
