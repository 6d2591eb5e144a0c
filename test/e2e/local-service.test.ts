import { mkdirSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { findEngine, startEngine as startOwnEngine } from '../../infra/local/engine.ts';
import { startEngineProxy as startProxy } from '../../infra/local/engine-proxy.ts';
import { findFreePort } from '../../infra/local/ports.ts';
import { VirtualClock } from '../../infra/local/virtual-clock.ts';
import { CommandError } from '../../infra/process/terminal.ts';
import { startEngine } from '../support/engine/engine.ts';
import { startEngineProxy } from '../support/engine/engine-proxy.ts';
import { startLocalService, useLocalService } from '../support/service/local-service.ts';

const directory = mkdtempSync(join(tmpdir(), 'local-engine-'));
const service = useLocalService({ demo: false });

interface RequestOptions {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request, also with headers and paths that fetch would change. */
function send(url: string, { method = 'POST', headers = {}, body = '', path = new URL(url).pathname }: RequestOptions) {
  return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
    const call = request(url, { method, headers, path }, (response) => {
      const { statusCode: status, headers: received } = response;
      text(response).then((responseText) => resolve({ status, headers: received, body: responseText }), reject);
    });
    call.on('error', reject).end(body);
  });
}

const buildForbidden = (message: string) => ({ success: false, error: { code: 'FORBIDDEN', message } });
const expectNoCors = (headers: IncomingHttpHeaders) =>
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);

/** The headers of a browser's preflight for a page of another origin. */
const preflight = {
  Origin: 'http://evil.example',
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'tenant, content-type, x-amz-target, authorization',
};

describe('the gateway', () => {
  it('the gateway responds to a name of this machine, and with 403 to any other name', async () => {
    const own = await send(`${service.url}/docs/`, { method: 'GET', headers: { Host: 'portal.localhost' } });
    expect(own.status).toBe(200);
    for (const path of ['/docs/', '/docs/reference.js', '/openapi.json', '/apidev/v1/login', '/_local/clock', '/']) {
      const response = await send(service.url + path, { headers: { Host: 'evil.example' }, body: '{"reset":true}' });
      expect([path, response.status]).toEqual([path, 403]);
      expect(JSON.parse(response.body)).toEqual(buildForbidden('Call this machine as localhost or 127.0.0.1.'));
      expect(response.headers).toMatchObject({ 'cache-control': 'no-store', 'x-request-id': expect.any(String) });
    }
  });

  const moveClock = (headers: Record<string, string>) =>
    send(`${service.url}/_local/clock`, { headers, body: '{"advance_seconds": 3600}' });
  const isClockMoved = async () => {
    const { body } = await send(`${service.url}/_local/clock`, { body: '{"advance_seconds": 0}' });
    return Math.abs(Date.parse((JSON.parse(body) as { now: string }).now) - Date.now()) > 1_000_000;
  };

  it('a page of another origin cannot move the clock', async () => {
    const { status, headers, body } = await moveClock({ Origin: 'http://evil.example' });
    expect(status).toBe(403);
    expect(JSON.parse(body)).toEqual(buildForbidden('A page of another origin has no access to this path.'));
    expectNoCors(headers);
    expect(await isClockMoved()).toBe(false);
  });

  it('the page of the service can move the clock', async () => {
    expect((await moveClock({ 'Sec-Fetch-Site': 'same-origin', Origin: service.url })).status).toBe(200);
    expect(await isClockMoved()).toBe(true);
    await send(`${service.url}/_local/clock`, { body: '{"reset": true}' });
  });

  it('no response allows a page of another origin to read it', async () => {
    for (const method of ['OPTIONS', 'GET', 'POST'])
      for (const path of ['/apidev/v1/login', '/apidev/v1/supplier-portal/invoices', '/docs/reference.js', '/nothing'])
        expectNoCors((await send(service.url + path, { method, headers: preflight })).headers);
  });
});

describe('the reference page', () => {
  const readPage = (path: string) => send(service.url, { method: 'GET', path });

  const listLinkedFiles = async (path: string) => {
    const { body } = await readPage(path);
    const links = body.matchAll(/ (?:src|href)="([^"#]+)"/g);
    return [...links].map(([, link = '']) => new URL(link, service.url + path).pathname);
  };

  it.each(['/docs/', '/docs/es/'])('the page at %s is served with all files that it links', async (path) => {
    const paths = await listLinkedFiles(path);
    expect(paths.length).toBeGreaterThan(6);
    for (const file of [path, ...paths]) {
      const { status, headers } = await readPage(file);
      expect([file, status, headers['x-content-type-options']]).toEqual([file, 200, 'nosniff']);
    }
  });

  it.each(['/', '/docs'])('%s redirects to the page', async (path) => {
    expect(await readPage(path)).toMatchObject({ status: 302, headers: { location: '/docs/' } });
  });

  it.each(['/openapi.json', '/openapi.es.json'])(
    'the service serves %s with itself as the server, also for HEAD',
    async (path) => {
      expect((await fetch(service.url + path, { method: 'HEAD' })).status).toBe(200);
      const { headers, body } = await readPage(path);
      expect(headers['content-type']).toBe('application/json');
      expect(JSON.parse(body)).toMatchObject({
        openapi: expect.stringMatching(/^3\.1\./),
        servers: [{ url: '..' }],
      });
    },
  );
});

describe('the engine', () => {
  it('only the owner can read the files of the engine in a folder that others can read', async () => {
    const folder = join(directory, 'shared');
    mkdirSync(folder, { mode: 0o755 });
    await (await startOwnEngine(findEngine(), folder)).close();
    const files = readdirSync(folder);
    expect(files).toContain('dynamodb.sqlite');
    expect(files.map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual(files.map(() => 0o600));
  });

  it('startEngine rejects with the reason if the engine cannot open its database', async () => {
    const folder = join(directory, 'taken');
    mkdirSync(join(folder, 'dynamodb.sqlite'), { recursive: true, mode: 0o700 });
    await expect(startOwnEngine(findEngine(), folder)).rejects.toThrow('unable to open database file');
  });

  it('the start of the service rejects with the reason if the engine cannot write', async () => {
    const engine = await startEngine();
    const proxy = await startEngineProxy(engine);
    proxy.injectFault({ operation: 'CreateTable', how: 'error' });
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', proxy.engine.endpoint);
    const message = `The engine at ${proxy.engine.endpoint} cannot keep the data: secret detail of the engine`;
    await expect(startLocalService({ demo: false })).rejects.toEqual(new CommandError(message));
    vi.unstubAllEnvs();
    await proxy.close();
    await engine.close();
  });

  const listTables = {
    'Content-Type': 'application/x-amz-json-1.0',
    'X-Amz-Target': 'DynamoDB_20120810.ListTables',
    'X-Amz-Date': '20260101T000000Z',
    Authorization:
      'AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
  };

  it('the engine proxy closes a call without a response, and continues after a client has disconnected', async () => {
    const proxy = await startProxy(0, `http://127.0.0.1:${await findFreePort()}`, new VirtualClock());
    await expect(send(proxy.endpoint, { headers: listTables, body: '{}' })).rejects.toThrow('socket hang up');
    await proxy.close();

    const aborted = request(service.endpoint, { method: 'POST', headers: { ...listTables, 'Content-Length': '100' } });
    aborted.on('error', () => {}).write('{');
    await setTimeout(100);
    aborted.destroy();
    expect(await send(service.endpoint, { headers: listTables, body: '{}' })).toMatchObject({ status: 200 });
  });

  it('the engine proxy rejects every call of a web page', async () => {
    const pageHeaders = { ...listTables, Origin: service.url };
    for (const call of [
      { body: '{}', headers: pageHeaders },
      { method: 'GET', headers: pageHeaders },
      { method: 'OPTIONS', headers: preflight },
    ]) {
      const response = await send(service.endpoint, call);
      expect(response.status).toBe(403);
      expect(response.body).not.toContain('TableNames');
      expectNoCors(response.headers);
    }
  });

  it.runIf(process.platform === 'linux')('the engine has a random address that no page can guess', async () => {
    const endpoints = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const { endpoint, close } = await startOwnEngine(findEngine());
        await close();
        return new URL(endpoint).hostname;
      }),
    );
    expect(new Set(endpoints).size).toBe(3);
    for (const hostname of endpoints) expect(hostname).toMatch(/^127\.(?!0\.0\.1$)\d+\.\d+\.\d+$/);
  });
});
