import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startEngine, startEngineProxy } from '../../infra/local/engine.ts';
import { findPort } from '../../infra/local/ports.ts';
import { VirtualClock } from '../../infra/local/virtual-clock.ts';
import { useLocalService } from '../support/service/local-service.ts';
import { useStarted } from '../support/setup/use-started.ts';

const service = useLocalService({ demo: false });
const engine = useStarted(() => startEngine(0, undefined));

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends any headers, also those that fetch sets itself. */
function send(url: string, { method = 'POST', headers = {}, body = '' }: Sent) {
  return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
    const sent = request(url, { method, headers }, (answer) => {
      const { statusCode: status, headers: received } = answer;
      text(answer).then((read) => resolve({ status, headers: received, body: read }), reject);
    });
    sent.on('error', reject).end(body);
  });
}

const forbidden = (message: string) => ({ success: false, error: { code: 'FORBIDDEN', message } });
const noCors = (headers: IncomingHttpHeaders) =>
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
      const answer = await send(service.url + path, { headers: { Host: 'evil.example' }, body: '{"reset":true}' });
      expect([path, answer.status]).toEqual([path, 403]);
      expect(JSON.parse(answer.body)).toEqual(forbidden('Call this machine as localhost or 127.0.0.1.'));
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-request-id': expect.any(String) });
    }
  });

  const move = (headers: Record<string, string>) =>
    send(`${service.url}/_local/clock`, { headers, body: '{"advance_seconds": 3600}' });
  const isMoved = async () => {
    const { body } = await send(`${service.url}/_local/clock`, { body: '{"advance_seconds": 0}' });
    return Math.abs(Date.parse((JSON.parse(body) as { now: string }).now) - Date.now()) > 1_000_000;
  };

  it('a page of another origin cannot move the clock', async () => {
    const { status, headers, body } = await move({ Origin: 'http://evil.example' });
    expect(status).toBe(403);
    expect(JSON.parse(body)).toEqual(forbidden('A page of another origin may not do this.'));
    noCors(headers);
    expect(await isMoved()).toBe(false);
  });

  it('the page of the service can move the clock', async () => {
    expect((await move({ 'Sec-Fetch-Site': 'same-origin', Origin: service.url })).status).toBe(200);
    expect(await isMoved()).toBe(true);
    await send(`${service.url}/_local/clock`, { body: '{"reset": true}' });
  });

  it('no response allows a page of another origin to read it', async () => {
    for (const method of ['OPTIONS', 'GET', 'POST'])
      for (const path of ['/apidev/v1/login', '/apidev/v1/supplier-portal/invoices', '/docs/reference.js', '/nothing'])
        noCors((await send(service.url + path, { method, headers: preflight })).headers);
  });
});

describe('the engine', () => {
  const listTables = {
    'Content-Type': 'application/x-amz-json-1.0',
    'X-Amz-Target': 'DynamoDB_20120810.ListTables',
    'X-Amz-Date': '20260101T000000Z',
    Authorization:
      'AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
  };

  it('the proxy ends a call that the engine does not answer, and continues after a caller has left', async () => {
    const proxy = await startEngineProxy(0, new URL(`http://127.0.0.1:${await findPort(0)}`), new VirtualClock());
    await expect(send(proxy.endpoint, { headers: listTables, body: '{}' })).rejects.toThrow('socket hang up');
    await proxy.close();

    const left = request(service.endpoint, { method: 'POST', headers: { ...listTables, 'Content-Length': '100' } });
    left.on('error', () => {}).write('{');
    await setTimeout(100);
    left.destroy();
    expect(await send(service.endpoint, { headers: listTables, body: '{}' })).toMatchObject({ status: 200 });
  });

  it('the proxy rejects every call of a page', async () => {
    const ofPage = { ...listTables, Origin: service.url };
    for (const call of [
      { body: '{}', headers: ofPage },
      { method: 'GET', headers: ofPage },
      { method: 'OPTIONS', headers: preflight },
    ]) {
      const answer = await send(service.endpoint, call);
      expect(answer.status).toBe(403);
      expect(answer.body).not.toContain('TableNames');
      noCors(answer.headers);
    }
  });

  it.runIf(process.platform === 'linux')('the engine has a random address that no page can guess', async () => {
    const { hostname } = new URL(engine.endpoint);
    expect(hostname).toMatch(/^127\.\d+\.\d+\.\d+$/);
    const addresses = new Set([hostname]);
    for (let time = 0; time < 2; time++) {
      const other = await startEngine(0, undefined);
      addresses.add(new URL(other.endpoint).hostname);
      await other.close();
    }
    expect(addresses.size).toBe(3);
    expect(addresses).not.toContain('127.0.0.1');
    await expect(fetch(engine.endpoint.replace(hostname, '127.0.0.1'))).rejects.toThrow('fetch failed');
  });
});
