import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFiles } from '../../../infra/openapi/page/build-site.ts';
import { buildSiteFiles } from '../../../infra/openapi/page/site-files.ts';
import { mediaTypes, serveFiles } from '../../../lib/http/serve-files.ts';

const types = {
  'index.html': 'text/html; charset=utf-8',
  'es/index.html': 'text/html; charset=utf-8',
  'reference.css': 'text/css; charset=utf-8',
  'guide.md': 'text/plain; charset=utf-8',
};
const parent = mkdtempSync(join(tmpdir(), 'served-'));
const folder = join(parent, 'docs');
let handler: ReturnType<typeof serveFiles>;

beforeAll(() => {
  mkdirSync(join(folder, 'es'), { recursive: true });
  writeFileSync(join(parent, 'secret.txt'), 'secret');
  for (const name of Object.keys(types)) writeFileSync(join(folder, name), `${name}: ñ`);
  handler = serveFiles(folder);
});

afterAll(() => rmSync(parent, { recursive: true }));

/** Asks for a file as the gateway does: the stage stands before the path that the client sees. */
function ask(file?: string, { headers = {}, seen }: { headers?: Record<string, string>; seen?: string } = {}) {
  const path = file === undefined ? '/docs' : `/docs/${file}`;
  const requestContext = { path: seen ?? `/live${path}` };
  const pathParameters = file === undefined ? null : { file };
  return handler({ path, requestContext, pathParameters, headers } as unknown as APIGatewayProxyEvent);
}

describe('serveFiles', () => {
  it.each(Object.entries(types))(
    'serves %s as %s, with a policy that allows only its own origin',
    async (file, type) => {
      const policy =
        "default-src 'self'; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
      expect(await ask(file)).toMatchObject({
        statusCode: 200,
        headers: {
          ...{ 'Content-Type': type, 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' },
          ...{ 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' },
        },
        body: `${file}: ñ`,
      });
    },
  );

  it.each([
    ['/live/docs', undefined, '/live/docs/index.html'],
    ['/docs', undefined, '/docs/index.html'],
    ['/live/docs/es/', 'es/', '/live/docs/es/index.html'],
  ])('redirects %s to the page', async (seen, file, location) => {
    expect(await ask(file, { seen })).toMatchObject({ statusCode: 302, headers: { Location: location } });
  });

  it.each([
    ...['nothing.html', '../secret.txt', 'es/../../secret.txt', '%2e%2e/secret.txt', '/index.html'],
    ...['constructor', 'es//'],
  ])('responds to %s with 404, also if the path leads out of the folder', async (file) => {
    expect(await ask(file)).toMatchObject({ statusCode: 404, body: 'Not found' });
  });

  it('responds with 304 to a client that has the file', async () => {
    const { headers: { ETag } = {} } = await ask('reference.css');
    const again = await ask('reference.css', { headers: { 'If-None-Match': String(ETag) } });
    expect(again).toMatchObject({ statusCode: 304, headers: { ETag }, body: '' });
    expect(await ask('es/index.html', { headers: { 'If-None-Match': String(ETag) } })).toMatchObject({
      statusCode: 200,
    });
  });

  it('has the media type of every file of the reference page', () => {
    expect(Object.keys(buildSiteFiles({})).filter((name) => !(extname(name) in mediaTypes))).toEqual([]);
  });
});

describe('serveFiles, with the reference page,', () => {
  const site = buildSiteFiles({ apiUrl: '..' });
  beforeAll(() => {
    writeFiles(join(parent, 'site'), site);
    handler = serveFiles(join(parent, 'site'));
  });

  it.each(Object.keys(site))('the response with %s is below the limit of Lambda', async (file) => {
    const response = await ask(file);
    expect(response).toMatchObject({ statusCode: 200, body: site[file]!() });
    // The limit is 6 MB (6,291,556 bytes) of JSON.
    expect(Buffer.byteLength(JSON.stringify(response))).toBeLessThan(5_800_000);
  });
});
