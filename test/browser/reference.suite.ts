import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildSite } from '../../infra/openapi/page/build-site.ts';
import { DEMO_ACCOUNT } from '../../infra/openapi/sample-requests.ts';
import { useLocalService } from '../support/service/local-service.ts';
import { listFaintTexts } from './contrast.js';
import { ReferencePage } from './reference-page.ts';

const args = [
  // Chromium asks before a page calls this machine, but not every browser does.
  '--disable-features=LocalNetworkAccessChecks',
  // Chromium's sandbox does not work for root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

const service = useLocalService();
let browser: Browser;
let openedPages: ReferencePage[] = [];
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: process.env['CHROMIUM_BIN'] ?? '', args });
});
afterEach(async () => {
  const problems = openedPages.flatMap((page) => page.problems);
  await Promise.all(openedPages.map(({ page }) => page.close()));
  openedPages = [];
  expect(problems).toEqual([]);
});
afterAll(() => browser.close());

/** Opens a page of the service, or of another origin or folder. `address` is the part after `/docs/`. */
async function openPage(address?: string, options?: object, origin = service.url): Promise<ReferencePage> {
  const page = await ReferencePage.open(browser, origin, address, options);
  openedPages.push(page);
  return page;
}

const phone = { viewport: { width: 390, height: 844 } };

/** Controls of Scalar without a name: the editors of the body and of the response. */
const knownNameless = ['textbox', 'textbox'];

describe.each([
  { address: '?language=en', language: 'en', title: 'Supplier Portal Invoice Service', button: 'Test Request' },
  {
    address: 'es/',
    language: 'es',
    title: 'Servicio de facturas del portal de prestadores',
    button: 'Probar solicitud',
  },
])('the reference page in $language:', ({ address, language, title, button }) => {
  it('the reference page shows its interface and its document in its language', async () => {
    const opened = await openPage(address);
    expect(await opened.title()).toBe(title);
    expect(await (await opened.showOperation('login')).innerText()).toContain(button);
  });

  it('a request after the login contains its token, the tenant, the API key and the language', async () => {
    const opened = await openPage(address);
    expect(await opened.send('get-invoice')).toMatchObject({ status: 401 });
    const login = await opened.send('login');
    expect(login).toMatchObject({ status: 200, sent: { tenant: DEMO_ACCOUNT.tenant } });
    expect(login.sent).not.toHaveProperty('x-api-key');
    const { authorization } = (login.body as { data: { authorization: string } }).data;
    const list = await opened.send('list-invoices');
    expect(list).toMatchObject({ status: 200, body: { success: true, meta: { limit: 2 } } });
    expect(list.sent).toMatchObject({
      authorization: `Bearer ${authorization}`,
      ...{ 'x-api-key': DEMO_ACCOUNT.apiKey, tenant: DEMO_ACCOUNT.tenant, 'accept-language': language },
    });
  });

  it('the page, an operation and its form fit the screen of a phone', async () => {
    const opened = await openPage(address, phone);
    const width = () => opened.page.evaluate('document.documentElement.scrollWidth');
    await opened.title();
    expect(await width()).toBe(phone.viewport.width);
    await opened.showOperation('list-invoices');
    await expect.poll(() => opened.page.getByText('startdate').first().isVisible()).toBe(true);
    expect(await width()).toBe(phone.viewport.width);
    await opened.openForm('list-invoices');
    expect(await width()).toBe(phone.viewport.width);
  });

  it('every control has a name, except two known ones of Scalar', async () => {
    const opened = await openPage(address);
    await opened.send('login');
    const listNameless = async (selector: string) => {
      const tree = await opened.page.locator(selector).ariaSnapshot();
      const controls = tree.match(/- '?(button|link|textbox|combobox|tab|searchbox)\b.*/g) ?? [];
      if (controls.length < 10) return 'too few controls';
      return controls.filter((control) => !/^- '?\w+ ".+"/.test(control)).map((control) => /\w+/.exec(control)![0]);
    };
    await expect.poll(() => listNameless('body')).toEqual([]);
    await opened.openForm('login');
    await expect.poll(() => listNameless('[role=dialog]')).toEqual(knownNameless);
  });
});

it.each(['light', 'dark'] as const)('the page has enough contrast in the %s scheme', async (colorScheme) => {
  const opened = await openPage('', { colorScheme });
  await opened.send('login');
  await opened.openForm('list-invoices');
  // Some colours change gradually.
  await expect.poll(() => opened.page.evaluate(listFaintTexts)).toEqual([]);
});

it('a token that is entered is sent instead of the token of the login', async () => {
  const opened = await openPage();
  await opened.send('login');
  await opened.page.getByLabel('Bearer Token').first().fill('abc');
  expect(await opened.send('get-invoice')).toMatchObject({ status: 401, sent: { authorization: 'Bearer abc' } });
});

it('the link to the error codes in the document opens their section', async () => {
  const { page } = await openPage('#description/errors');
  const heading = page.getByRole('heading', { name: 'Errors', exact: true });
  await expect.poll(async () => Math.abs((await heading.boundingBox())?.y ?? 9999)).toBeLessThan(200);
});

it('the code of the guide is wrapped, because a keyboard cannot scroll it', async () => {
  const { page } = await openPage('', phone);
  const blocks = page.locator('.markdown pre code.hljs');
  await expect.poll(() => blocks.count()).toBeGreaterThan(5);
  const wide = blocks.evaluateAll((all) => all.filter(({ clientWidth, scrollWidth }) => scrollWidth > clientWidth));
  expect(await wide).toEqual([]);
});

it('a browser in Spanish shows the Spanish page until its user chooses English', async () => {
  const { page } = await openPage('', { locale: 'es-AR' });
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('es');
  await page.getByRole('link', { name: 'English' }).click();
  await page.getByRole('heading', { level: 1, name: 'Supplier Portal Invoice Service' }).waitFor();
});

it('without JavaScript, the page links to the guide as text', async () => {
  const { page } = await openPage('es/', { javaScriptEnabled: false });
  expect(await page.locator('noscript').boundingBox()).not.toBeNull();
  await page.getByRole('link', { name: 'Guía' }).click();
  expect(await page.locator('body').innerText()).toContain('# Cómo integrarse');
});

it('a built site opens from the disk in both languages, and offers no requests', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docs-'));
  buildSite(folder);
  for (const [name, title] of [
    ['index.html', /^Supplier Portal/],
    ['es/index.html', /^Servicio de facturas/],
  ] as const) {
    const page = await openPage(name, {}, pathToFileURL(folder).href);
    expect(await page.title()).toMatch(title);
    const button = await page.showOperation('login');
    await page.page.getByText('/apidev/v1/login').first().waitFor();
    expect(await button.count()).toBe(0);
  }
  rmSync(folder, { recursive: true });
});
