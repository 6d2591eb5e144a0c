import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_ACCOUNT } from '../../infra/openapi/sample-requests.ts';
import { ALL_ERROR_CODES } from '../../lib/domain/errors.ts';
import { useLocalService } from '../support/service/local-service.ts';
import { openBrowser } from './open-browser.ts';
import { ReferencePage } from './reference-page.ts';

const service = useLocalService();
let browser: Browser;
let openedPages: ReferencePage[] = [];
beforeAll(async () => {
  browser = await openBrowser();
});
afterEach(async () => {
  const problems = openedPages.flatMap((page) => page.problems);
  await Promise.all(openedPages.map(({ page }) => page.close()));
  openedPages = [];
  expect(problems).toEqual([]);
});
afterAll(() => browser.close());

/** Opens a page of the service. `address` is the part after `/docs/`. */
async function openPage(address?: string, options?: object): Promise<ReferencePage> {
  const page = await ReferencePage.open(browser, service.url, address, options);
  openedPages.push(page);
  return page;
}

/** Words of the guide, with the heading that their search finds first, and words of operations. */
const searches = {
  en: {
    headings: { retry: 'When to retry', timeout: 'Timeout and', idempotency: 'Timeout and' },
    operations: ['list', 'invoice', 'declar', 'validate', 'Retry-After', '429'],
  },
  es: {
    headings: {
      reintentar: 'Cuándo',
      'tiempo de espera': 'Tiempo de',
      timeout: 'Tiempo de',
      idempotencia: 'Tiempo de',
    },
    operations: ['listar', 'factura', 'declar', 'verificar', '429'],
  },
};

const phone = { viewport: { width: 390, height: 844 } };

describe.each([
  {
    address: '?language=en',
    language: 'en' as const,
    title: 'Supplier Portal Invoice Service',
    button: 'Test Request',
  },
  {
    address: 'es/',
    language: 'es' as const,
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

  it('axe finds no defect in the page, its search and its form on a phone', async () => {
    const opened = await openPage(address, phone);
    await opened.title();
    expect(await opened.listDefects(['wcag2a', 'wcag2aa', 'best-practice'])).toEqual([]);
    await opened.search('declar');
    await expect.poll(() => opened.listDefects()).toEqual([]);
    await opened.page.keyboard.press('Escape');
    await opened.send('login');
    await opened.openForm('declare-invoice');
    await expect.poll(() => opened.listDefects()).toEqual([]);
  });

  it('the search finds words of the guide, every error code and endpoints', async () => {
    const opened = await openPage(address);
    await opened.title();
    const { headings, operations } = searches[language];
    // Scalar takes `_DATE_` in a heading for emphasis.
    const codes = ALL_ERROR_CODES.map((code) => [code, code.replaceAll('_', '_?')] as const);
    for (const [text, heading] of [...Object.entries(headings), ...codes])
      expect((await opened.search(text))[0]).toMatch(new RegExp(`^ (Heading|Encabezado): ${heading}`));
    for (const text of operations) {
      const results = await opened.search(text);
      expect(`${text}: ${results.join()}`).toContain('/apidev/v1/');
    }
  });
});

it('the Spanish page contains no English text', async () => {
  const [english, spanish] = await Promise.all(
    ['?language=en', 'es/'].map(async (address) => {
      const opened = await openPage(address);
      await opened.openForm('login');
      const texts = await opened.listTexts();
      await opened.page.keyboard.press('Escape');
      await opened.page.getByRole('dialog').waitFor({ state: 'hidden' });
      await opened.search('qqqzzz');
      return [...texts, ...(await opened.listTexts())];
    }),
  );
  // A name, such as `Shell Curl`, is equal in both languages.
  const isSentence = (text: string) => / [a-z]/.test(text) && !/^(OpenAPI|Tenant|ApiKey|Token|Shell)\b|8888/.test(text);
  expect(spanish!.filter((text) => isSentence(text) && english!.includes(text))).toEqual([]);
});

it('the page and its form have enough contrast in the dark scheme', async () => {
  const opened = await openPage('', { colorScheme: 'dark' });
  await opened.send('login');
  await opened.openForm('list-invoices');
  // Some colours change gradually.
  await expect.poll(() => opened.listDefects()).toEqual([]);
});

it('a token that is entered is sent instead of the token of the login', async () => {
  const opened = await openPage();
  await opened.send('login');
  await opened.page.getByLabel('Bearer Token').first().fill('abc');
  expect(await opened.send('get-invoice')).toMatchObject({ status: 401, sent: { authorization: 'Bearer abc' } });
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
