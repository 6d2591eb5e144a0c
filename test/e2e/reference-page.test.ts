import { get, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { contentPolicy } from '../../lib/http/serve-files.ts';
import { useLocalService } from '../support/service/local-service.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

describe('the reference page', () => {
  const service = useLocalService({ demo: false });

  /** As it goes over the wire: fetch would follow redirects, resolve dots and decompress. */
  const read = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    new Promise<Answer>((resolve, reject) => {
      get(service.url, { path, headers }, (message) => {
        const chunks: Buffer[] = [];
        message.on('data', (chunk: Buffer) => chunks.push(chunk));
        const { statusCode: status = 0 } = message;
        message.on('end', () => resolve({ status, headers: message.headers, body: Buffer.concat(chunks) }));
      }).on('error', reject);
    });

  const linked = async (path: string) => {
    const { body } = await read(path);
    const links = body.toString().matchAll(/ (?:src|href)="([^"#]+)"/g);
    return [...links].map(([, link = '']) => new URL(link, service.url + path).pathname);
  };

  it.each(['/docs/', '/docs/es/'])('the page at %s is served with all files that it links', async (path) => {
    const types = {
      css: 'text/css; charset=utf-8',
      html: 'text/html; charset=utf-8',
      md: 'text/plain; charset=utf-8',
      js: 'text/javascript; charset=utf-8',
      json: 'application/json',
      svg: 'image/svg+xml',
      yaml: 'application/yaml',
    };
    const paths = [path, ...(await linked(path))];
    expect(paths.length).toBeGreaterThan(8);
    for (const one of paths) {
      const { status, headers } = await read(one);
      const name = one.endsWith('/') ? 'index.html' : one;
      const type = types[name.split('.').at(-1) as keyof typeof types];
      expect([one, status, headers['content-type']]).toEqual([one, 200, type]);
      expect(headers).toMatchObject({
        'content-security-policy': `${contentPolicy}; frame-ancestors 'none'`,
        'cache-control': one === '/docs/scalar.js' ? 'public, max-age=31536000, immutable' : 'no-cache',
        ...{ 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' },
      });
    }
  });

  it.each([
    ['/', '/docs/'],
    ['/docs', '/docs/'],
    ['/docs/es', '/docs/es/'],
  ])('%s redirects to %s, so that the relative links are correct', async (path, location) => {
    expect(await read(path)).toMatchObject({ status: 302, headers: { location } });
  });

  it.each(['/docs//', '/docs/reference-page.ts', '/docs/%2e%2e/docs.ts'])('%s is not found', async (path) => {
    expect((await read(path)).status).toBe(404);
  });

  it.each(['/openapi.json', '/openapi.es.json'])(
    'serves %s with this service as its server, also to HEAD',
    async (path) => {
      expect((await fetch(service.url + path, { method: 'HEAD' })).status).toBe(200);
      const { headers, body } = await read(path);
      expect(headers['content-type']).toBe('application/json');
      expect(JSON.parse(body.toString())).toMatchObject({
        openapi: expect.stringMatching(/^3\.1\./),
        servers: [{ url: '/' }],
      });
    },
  );
});
