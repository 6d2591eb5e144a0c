import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { demoAccount } from '../../infra/demo-account.ts';
import { loginRequest } from '../../infra/demo-requests.ts';
import { buildSite } from '../../infra/docs/build-site.ts';
import { ReferencePages } from './reference-pages.ts';

const pages = new ReferencePages();
const folder = mkdtempSync(join(tmpdir(), 'docs-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Opens a site that is built for the service, at this address. */
async function openSite(address: string) {
  buildSite(folder, { baseUrl: pages.service.url });
  const page = await pages.open();
  await page.page.route(`${address}**`, (route) =>
    route.fulfill({ path: join(folder, route.request().url().replace(address, '')) }),
  );
  await page.page.goto(`${address}index.html`);
  return page;
}

describe('a built site', () => {
  it('opens from the disk: reading, samples and search work, and nothing can be tried out', async () => {
    buildSite(folder, {});
    const page = await pages.open('index.html', {}, pathToFileURL(folder).href);
    expect(await page.operationIds()).toHaveLength(11);
    expect(await page.find('declare a batch')).toBe('declare-batch');
    expect(await page.page.getByRole('button', { name: 'Execute' }).count()).toBe(0);
    await page.page.getByRole('link', { name: 'Español' }).click();
    await expect.poll(() => page.page.locator('html').getAttribute('lang')).toBe('es');
    expect(await page.page.getByText('En esta página no se puede probar').count()).toBe(1);
  });

  it('calls the service that it was built for from a folder beside it, and knows no password', async () => {
    const page = await openSite(`${pages.service.url}/guides/api/`);
    await page.page.locator('#log-in').getByLabel('Tenant').fill(demoAccount.tenant);
    const { email, password } = demoAccount;
    expect(await page.execute('login')).toMatchObject({ status: '401' });
    expect(await page.execute('login', { email, password })).toMatchObject({ status: '200' });
  });

  it('of another origin than its service says that there is no answer it may show, and why', async () => {
    const page = await openSite('http://guides.example/');
    expect(await page.page.getByText('The API sends no CORS headers').count()).toBe(1);
    const form = (await page.choose('login')).locator('form.try');
    await form.getByRole('button', { name: 'Execute' }).click();
    expect(await form.locator('.answer .status').innerText()).toBe('No answer');
    expect(await form.locator('.answer').innerText()).toContain('may not show its answer to a page of this origin');
    // The browser's own words on the call that it refused.
    page.complaints.length = 0;
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
      const { path, ...login } = loginRequest(demoAccount);
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
    const { path, ...login } = loginRequest(demoAccount);
    expect(await call(ofGateway, path, login)).toBe(403);
    expect(await call(ofGateway, '/docs/')).toBe(403);
    expect(await call(ofGateway, '/_local/clock', hourAhead)).toBe(403);
    await expectRightClock();
    await Promise.all([ofEngine.close(), ofGateway.close()]);
  });

  it('is told from the page of the service itself, which may move the clock under either name', async () => {
    for (const name of ['127.0.0.1', 'localhost']) {
      const page = await pages.browser.newPage();
      await page.goto(`http://${name}:${new URL(pages.service.url).port}/docs`);
      expect(await call(page, '/_local/clock', { method: 'POST', body: '{"reset": true}' })).toBe(200);
      await page.close();
    }
  });
});
