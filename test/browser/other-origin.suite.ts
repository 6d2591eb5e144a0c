import { createServer, type Server } from 'node:http';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loginRequest } from '../../infra/demo-requests.ts';
import { demoAccount } from '../../infra/demo-account.ts';
import { listen } from '../../infra/local/ports.ts';
import type { LocalService } from '../../infra/local/service.ts';
import { startLocalService } from '../support/service/local-service.ts';
import { chromiumProgram } from './chromium.ts';

let browser: Browser;
let service: LocalService;
let pages: Server;
let pagesPort: number;
beforeAll(async () => {
  const args = [
    // Names that lead to this machine, as the name of a page does once its owner has rebound it.
    '--host-resolver-rules=MAP *.example 127.0.0.1',
    // Not every browser asks before a page may call this machine.
    '--disable-features=LocalNetworkAccessChecks',
    // Chromium's sandbox does not work for root.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
  browser = await chromium.launch({ executablePath: chromiumProgram, args });
  service = await startLocalService({ demo: true });
  pages = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html>'));
  pagesPort = await listen(pages, 0);
});
afterAll(async () => {
  await service.close();
  await browser.close();
  pages.close();
});

const portOf = (url: string) => new URL(url).port;

interface Call {
  readonly method?: string;
  readonly mode?: 'cors' | 'no-cors';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Calls from a page as its script would; what the script sees of the answer, or undefined when the browser keeps it.
 */
function call(page: Page, url: string, options: Call = {}): Promise<{ status: number; text: string } | undefined> {
  const asScript = (asked: { url: string; options: Call }) =>
    fetch(asked.url, asked.options).then(
      async (answer) => ({ status: answer.status, text: await answer.text() }),
      () => undefined,
    );
  return page.evaluate(asScript, { url, options });
}

/** How the SDK asks for all signing keys. */
const scan: Call = {
  method: 'POST',
  headers: {
    'Content-Type': 'application/x-amz-json-1.0',
    'X-Amz-Target': 'DynamoDB_20120810.Scan',
    'X-Amz-Date': '20260101T000000Z',
    Authorization:
      'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
  },
};
const scanOfKeys = () => ({ ...scan, body: JSON.stringify({ TableName: service.tables.SigningKeys, Limit: 10 }) });

/** How far the clock of the functions is ahead, in whole minutes. */
async function minutesAhead(): Promise<number> {
  const body = JSON.stringify({ advance_seconds: 0 });
  const answer = await fetch(`${service.url}/_local/clock`, { method: 'POST', body });
  const { now } = (await answer.json()) as { now: string };
  return Math.abs(Math.round((Date.parse(now) - Date.now()) / 60_000));
}

const advance = JSON.stringify({ advance_seconds: 3_600 });

describe.each([
  ['another site', () => `http://evil.example:${pagesPort}`],
  ['another port of this machine', () => `http://localhost:${pagesPort}`],
])('a page of %s', (_, origin) => {
  let page: Page;
  beforeAll(async () => {
    page = await browser.newPage();
    await page.goto(origin());
  });
  afterAll(() => page.close());

  it('can call its own server, so that what follows shows something', async () => {
    expect(await call(page, origin())).toMatchObject({ status: 200 });
  });

  it('cannot read the signing key from the engine', async () => {
    expect(await call(page, service.endpoint, scanOfKeys())).toBeUndefined();
    expect(await call(page, service.endpoint)).toBeUndefined();
  });

  it.each(['no-cors', 'cors'] as const)('cannot move the clock (%s)', async (mode) => {
    await call(page, `${service.url}/_local/clock`, { method: 'POST', mode, body: advance });
    expect(await minutesAhead()).toBe(0);
  });

  it('cannot call the gateway', async () => {
    const { path, ...login } = loginRequest(demoAccount);
    expect(await call(page, service.url + path, login)).toBeUndefined();
    expect(await call(page, `${service.url}/docs/`)).toBeUndefined();
    expect(await call(page, `${service.url}/openapi.json`)).toBeUndefined();
  });
});

describe('a page whose name was rebound to this machine', () => {
  async function openAt(port: string): Promise<Page> {
    const page = await browser.newPage();
    const address = `http://rebound.example:${port}/`;
    // What it was loaded from before.
    await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }), {
      times: 1,
    });
    await page.goto(address);
    return page;
  }

  it('cannot read the signing key from the engine', async () => {
    const page = await openAt(portOf(service.endpoint));
    expect(await call(page, '/', scanOfKeys())).toMatchObject({ status: 403 });
    await page.close();
  });

  it('cannot call the gateway, nor move the clock', async () => {
    const page = await openAt(portOf(service.url));
    const { path, ...login } = loginRequest(demoAccount);
    for (const [address, init] of [
      [path, login],
      ['/docs/', {}],
      ['/_local/clock', { method: 'POST', body: advance }],
    ] as const) {
      expect(await call(page, address, init), address).toMatchObject({ status: 403 });
    }
    expect(await minutesAhead()).toBe(0);
    await page.close();
  });
});

describe('the page of the service itself', () => {
  it.each(['127.0.0.1', 'localhost'])('moves the clock under the name %s', async (name) => {
    const page = await browser.newPage();
    await page.goto(`http://${name}:${portOf(service.url)}/docs`);
    const reset = { method: 'POST', body: JSON.stringify({ reset: true }) };
    expect(await call(page, '/_local/clock', reset)).toMatchObject({ status: 200 });
    await page.close();
  });
});
