import { get } from 'node:http';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoAccount } from '../../infra/local/demo.ts';
import { docsPages } from '../../infra/docs/serve-page.ts';
import type { LocalService } from '../../infra/local/service.ts';
import { startLocalService } from '../support/service/local-service.ts';

describe('reference page', () => {
  let service: LocalService;
  beforeAll(async () => {
    service = await startLocalService({ demo: false });
  });
  afterAll(() => service.close());

  const read = async (path: string) => {
    const response = await fetch(service.url + path);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it('is served with everything that it loads', async () => {
    const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' };
    const { headers, text } = await read('/docs');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');

    const linked = [...text.matchAll(/(?:src|href)="(\/docs\/.+?)"/g)].map(([, path = '']) => path);
    const script = (await read('/docs/page.js')).text;
    const imported = [...script.matchAll(/ from '\.(.+?)'/g)].map(([, path]) => `/docs${path}`);
    const paths = [...linked, ...imported];
    expect(paths.length).toBeGreaterThan(10);
    for (const path of paths) {
      const asset = await read(path);
      expect(asset.status, path).toBe(200);
      expect(asset.headers.get('content-type'), path).toBe(types[path.split('.')[1] as keyof typeof types]);
    }
  });

  it('may load nothing from elsewhere, and is asked for anew', async () => {
    for (const path of ['/docs', '/docs/page.js', '/docs/renderer.js']) {
      const { headers } = await read(path);
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'self';/);
      expect(headers.get('cache-control')).toBe('no-cache');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it.each([
    '/_local/docs',
    '/_local/openapi.json',
    '/docs//',
    '/openapi.yml',
    '/docs/nothing.js',
    '/docs/tsconfig.json',
    '/docs/../docs.ts',
    '/docs/%2e%2e/docs.ts',
    '/docs/..%2fdocs.ts',
    '/docs/constructor',
  ])('does not serve %s', async (path) => {
    // fetch would resolve the dots itself.
    const status = await new Promise((resolve) => get(service.url, { path }, (answer) => resolve(answer.statusCode)));
    expect(status).toBe(404);
  });

  it('serves the document with this service as its server', async () => {
    const { headers, text } = await read('/openapi.json');
    expect(headers.get('content-type')).toBe('application/json');
    expect(JSON.parse(text)).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./), servers: [{ url: '/' }] });
  });

  it('serves the same document as YAML', async () => {
    const { headers, text } = await read('/openapi.yaml');
    expect(headers.get('content-type')).toBe('application/yaml');
    expect(text).toMatch(/^openapi: 3\.1\.\d\n/);
    expect(parse(text)).toEqual(JSON.parse((await read('/openapi.json')).text));
  });

  it('is led to from the root, and is the same with a slash at its end', async () => {
    const { status, headers } = await fetch(service.url, { redirect: 'manual' });
    expect({ status, location: headers.get('location') }).toEqual({ status: 302, location: '/docs/' });
    const followed = await fetch(service.url);
    expect({ url: followed.url, status: followed.status }).toEqual({ url: `${service.url}/docs/`, status: 200 });
    expect(await followed.text()).toBe((await read('/docs')).text);
  });

  it.each(['/', '/docs', '/docs/', '/docs/page.js', '/openapi.json', '/openapi.yaml', '/_local/clock'])(
    'answers HEAD of %s as GET, without a body',
    async (path) => {
      const got = await fetch(service.url + path, { redirect: 'manual' });
      const { status, headers, body } = await fetch(service.url + path, { method: 'HEAD', redirect: 'manual' });
      expect({ status, body }).toEqual({ status: got.status, body: null });
      expect(headers.get('content-type')).toBe(got.headers.get('content-type'));
      expect(headers.get('content-length')).toBe(got.headers.get('content-length'));
    },
  );

  it('knows the demo credentials only where there are demo data', async () => {
    expect(JSON.parse((await read('/docs/account.json')).text)).toBeNull();
    const account = docsPages(demoAccount)['/docs/account.json']?.().body;
    expect(JSON.parse(String(account))).toEqual({ tenant: demoAccount.tenant, apiKey: demoAccount.apiKey });
  });
});
