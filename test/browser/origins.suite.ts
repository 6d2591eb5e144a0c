import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { demoAccount, sampleRequests } from '../../infra/openapi/sample-requests.ts';
import { buildSite } from '../../infra/openapi/page/build-site.ts';
import { ReferencePages } from './reference-pages.ts';

const pages = new ReferencePages();
const folder = mkdtempSync(join(tmpdir(), 'docs-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Opens the site in the folder at this address. */
async function openSite(address: string, name = 'index.html') {
  const page = await pages.open();
  await page.page.route(`${address}**`, (route) =>
    route.fulfill({
      path: join(folder, new URL(route.request().url()).pathname.slice(new URL(address).pathname.length)),
    }),
  );
  await page.page.goto(address + name);
  return page;
}

describe('a built site', () => {
  it('opens from the disk in both languages, and offers no requests', async () => {
    buildSite(folder, {});
    for (const [name, title] of [
      ['index.html', /^Supplier Portal/],
      ['es/index.html', /^Servicio de facturas/],
    ] as const) {
      const page = await pages.open(name, {}, pathToFileURL(folder).href);
      expect(await page.title()).toMatch(title);
      const button = await page.showOperation('login');
      await page.page.getByText('/apidev/v1/login').first().waitFor();
      expect(await button.count()).toBe(0);
    }
  });

  it('sends requests to the service that it was built for from a folder beside it, and contains no password', async () => {
    buildSite(folder, { baseUrl: pages.service.url });
    const page = await openSite(`${pages.service.url}/guides/api/`);
    const { url, status, body } = await page.send('WSListarFacturas');
    expect({ url, status }).toEqual({ url: `${pages.service.url}/apidev/legacy/WSListarFacturas`, status: 200 });
    expect(body).toMatchObject({ Resultado: { Exito: false } });
  });

  it('of another origin than its service shows that the request failed', async () => {
    buildSite(folder, { baseUrl: pages.service.url });
    const page = await openSite('http://guides.example/');
    const form = await page.openForm('login');
    await form.getByRole('button', { name: /^Send/ }).first().click();
    await form.getByText('Failed to fetch').first().waitFor();
    // The browser reports that it blocked the response.
    expect(page.complaints.splice(0).join()).toContain('CORS policy');
  });
});

interface Call {
  readonly method?: string;
  readonly mode?: 'cors' | 'no-cors';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What a script of a page sees of the answer to a call: its status, or undefined when the browser keeps it. */
const call = (page: Page, url: string, options: Call = {}) =>
  page.evaluate(
    (asked) =>
      fetch(asked.url, asked.options).then(
        ({ status }) => status,
        () => undefined,
      ),
    { url, options },
  );

/** How the SDK asks for all signing keys. */
const scanOfKeys = () => ({
  method: 'POST',
  headers: {
    'Content-Type': 'application/x-amz-json-1.0',
    'X-Amz-Target': 'DynamoDB_20120810.Scan',
    'X-Amz-Date': '20260101T000000Z',
    Authorization:
      'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
  },
  body: JSON.stringify({ TableName: pages.service.tables.SigningKeys, Limit: 10 }),
});

const hourAhead = { method: 'POST', body: '{"advance_seconds": 3600}' };
async function expectRightClock(): Promise<void> {
  const nothing = { method: 'POST', body: '{"advance_seconds": 0}' };
  const answer = await fetch(`${pages.service.url}/_local/clock`, nothing);
  const { now } = (await answer.json()) as { now: string };
  expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(1_800_000);
}

describe('a page of another origin on this machine', () => {
  /** A page at an address, which another server gives it. */
  async function openAt(address: string): Promise<Page> {
    const page = await pages.browser.newPage();
    const page200 = { contentType: 'text/html', body: '<!doctype html>' };
    await page.route(address, (route) => route.fulfill(page200), { times: 1 });
    await page.goto(address);
    return page;
  }

  it.each(['http://evil.example:8100/', 'http://localhost:8100/'])(
    '(%s) can neither read the engine, nor move the clock, nor call the gateway',
    async (origin) => {
      const page = await openAt(origin);
      const { url, endpoint } = pages.service;
      const { path, ...login } = sampleRequests(demoAccount, '').login;
      expect(await call(page, endpoint, scanOfKeys())).toBeUndefined();
      expect(await call(page, url + path, login)).toBeUndefined();
      expect(await call(page, `${url}/docs/`)).toBeUndefined();
      for (const mode of ['no-cors', 'cors'] as const) await call(page, `${url}/_local/clock`, { ...hourAhead, mode });
      await expectRightClock();
      await page.close();
    },
  );

  it('whose name was rebound to the engine or the gateway is refused by each', async () => {
    const [engine, gateway] = [pages.service.endpoint, pages.service.url].map((url) => new URL(url).port);
    const ofEngine = await openAt(`http://rebound.example:${engine}/`);
    expect(await call(ofEngine, '/', scanOfKeys())).toBe(403);
    const ofGateway = await openAt(`http://rebound.example:${gateway}/`);
    const { path, ...login } = sampleRequests(demoAccount, '').login;
    expect(await call(ofGateway, path, login)).toBe(403);
    expect(await call(ofGateway, '/docs/')).toBe(403);
    expect(await call(ofGateway, '/_local/clock', hourAhead)).toBe(403);
    await expectRightClock();
    await Promise.all([ofEngine.close(), ofGateway.close()]);
  });
});
