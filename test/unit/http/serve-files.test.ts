import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSiteFiles } from '../../../infra/openapi/page/site-files.ts';
import { writeFiles } from '../../../infra/static-files.ts';
import { buildFileHeaders, createFileHandler, MEDIA_TYPES, REFERENCE_POLICY } from '../../../lib/http/serve-files.ts';

const types = {
  'index.html': 'text/html; charset=utf-8',
  'es/index.html': 'text/html; charset=utf-8',
  'reference.css': 'text/css; charset=utf-8',
  'guide.md': 'text/plain; charset=utf-8',
};
const parent = mkdtempSync(join(tmpdir(), 'served-'));
const folder = join(parent, 'docs');
let handler: ReturnType<typeof createFileHandler>;

beforeAll(() => {
  mkdirSync(join(folder, 'es'), { recursive: true });
  writeFileSync(join(parent, 'secret.txt'), 'secret');
  for (const name of Object.keys(types)) writeFileSync(join(folder, name), `${name}: ñ`);
  handler = createFileHandler(folder, REFERENCE_POLICY);
});

afterAll(() => rmSync(parent, { recursive: true }));

/** Requests a file in the same way as the gateway. `seen` is the path that the client sees, with the stage. */
function requestFile(file?: string, { seen }: { seen?: string } = {}) {
  const path = file === undefined ? '/docs' : `/docs/${file}`;
  const requestContext = { path: seen ?? `/live${path}` };
  const pathParameters = file === undefined ? null : { file };
  return handler({ path, requestContext, pathParameters } as unknown as APIGatewayProxyEvent);
}

describe('createFileHandler', () => {
  it.each(Object.entries(types))(
    'the handler of files serves %s as %s, with a policy that allows only its own origin',
    async (file, type) => {
      const policy =
        "default-src 'self'; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
      expect(await requestFile(file)).toMatchObject({
        statusCode: 200,
        headers: {
          'Content-Type': type,
          'Cache-Control': 'no-cache',
          'X-Content-Type-Options': 'nosniff',
          'Content-Security-Policy': policy,
          'Referrer-Policy': 'no-referrer',
        },
        body: `${file}: ñ`,
      });
    },
  );

  it.each([
    ['/live/docs', undefined, '/live/docs/index.html'],
    ['/docs', undefined, '/docs/index.html'],
    ['/live/docs/es/', 'es/', '/live/docs/es/index.html'],
  ])('the handler of files redirects %s to the page', async (seen, file, location) => {
    expect(await requestFile(file, { seen })).toMatchObject({
      statusCode: 302,
      headers: { Location: location },
      body: '',
    });
  });

  it.each([
    ...['nothing.html', '../secret.txt', 'es/../../secret.txt', '%2e%2e/secret.txt', '/index.html'],
    ...['constructor', 'es//'],
  ])('the handler of files returns 404 for %s, also if the path is outside the folder', async (file) => {
    const headers = { 'Content-Type': 'text/plain', 'X-Content-Type-Options': 'nosniff' };
    expect(await requestFile(file)).toMatchObject({ statusCode: 404, headers, body: 'Not found' });
  });

  it('a browser keeps only the script of Scalar, whose address contains a hash', () => {
    const keep = 'public, max-age=31536000, immutable';
    expect(buildFileHeaders('scalar.js', REFERENCE_POLICY)).toMatchObject({ 'Cache-Control': keep });
    expect(buildFileHeaders('index.html', REFERENCE_POLICY)).toMatchObject({ 'Cache-Control': 'no-cache' });
  });

  it('mediaTypes has the type of every file of the reference page', () => {
    expect(Object.keys(buildSiteFiles()).filter((name) => !(extname(name) in MEDIA_TYPES))).toEqual([]);
  });
});

describe('the handler of files with the reference page', () => {
  const site = buildSiteFiles();
  beforeAll(() => {
    writeFiles(join(parent, 'site'), site);
    handler = createFileHandler(join(parent, 'site'), REFERENCE_POLICY);
  });

  it.each(Object.keys(site))('the response with %s is smaller than the limit of Lambda', async (file) => {
    const response = await requestFile(file);
    expect(response).toMatchObject({ statusCode: 200, body: site[file]!() });
    // The limit is 6 MB (6,291,556 bytes) of JSON.
    expect(Buffer.byteLength(JSON.stringify(response))).toBeLessThan(5_800_000);
  });
});
