import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildSite } from '../../infra/docs/build-site.ts';
import { demoAccount } from '../../infra/local/demo-account.ts';
import type { LocalService } from '../../infra/local/service.ts';
import { startLocalService } from '../support/service/local-service.ts';
import { chromiumProgram } from './chromium.ts';
import { faintTexts } from './contrast.js';
import { ReferencePage } from './reference-page.ts';

/** A directory to write pictures of the page to. */
const screenshots = process.env['DOCS_SCREENSHOTS'];

const desktop = { viewport: { width: 1360, height: 1000 } };
const phone = { viewport: { width: 390, height: 844 } };

let browser: Browser;
let service: LocalService;
let opened: ReferencePage[] = [];
beforeAll(async () => {
  // Chromium's sandbox does not work for root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  browser = await chromium.launch({ executablePath: chromiumProgram, args });
  service = await startLocalService({ demo: true });
});
afterEach(async () => {
  const complaints = opened.flatMap((page) => page.complaints);
  await Promise.all(opened.map(({ page }) => page.close()));
  opened = [];
  expect(complaints).toEqual([]);
});
afterAll(async () => {
  await service.close();
  await browser.close();
});

async function open(address?: string, options?: object, { url } = service): Promise<ReferencePage> {
  const page = await ReferencePage.open(browser, url, address, options);
  opened.push(page);
  return page;
}

describe('the reference page', () => {
  it('serves a session: log in, list, declare, open', async () => {
    const page = await open();
    expect(await page.session.innerText()).toContain('Not logged in.');

    expect(await page.execute('login')).toMatchObject({ status: '200', body: { success: true } });
    expect(await page.session.innerText()).toBe('Logged in as ana@demo.example (tenant demo.example)');

    const list = await page.execute('list-invoices');
    expect(list).toMatchObject({ status: '200', body: { data: { rows: [{ invoice_id: '9001' }, {}] } } });

    const declared = await page.execute('declare-invoice', { invoice_id: '9001', amount: 1049.5 });
    expect(declared).toMatchObject({ status: '200', body: { data: { declared_amount: 1049.5 } } });

    const detail = await page.execute('get-invoice');
    const row = { invoice_id: '9001', declared_amount: 1049.5, state_code: 'APR' };
    expect(detail).toMatchObject({ status: '200', body: { data: row } });
  });

  it('executes every operation as it is filled in', async () => {
    const page = await open();
    const ids = await page.operationIds();
    expect(ids).toHaveLength(11);
    for (const id of ids) {
      const { status, body } = await page.execute(id);
      expect({ id, status, body }).toMatchObject({ status: '200' });
      expect(JSON.stringify(body)).toMatch(/^\{("success":true|"Resultado":\{"Exito":true)/);
    }
  });

  it('shows an error with its details', async () => {
    const page = await open();
    await page.execute('login');
    const answer = await page.execute('validate-amount', { invoice_id: '9001', amount: -1 });
    const details = [{ property: 'amount', constraints: { minimum: expect.any(String) } }];
    expect(answer).toMatchObject({ status: '400', body: { error: { code: 'VALIDATION_ERROR', details } } });
  });

  it('drops a token that has expired, and says so', async () => {
    const page = await open();
    await page.execute('login');
    await moveClock({ advance_seconds: 3_601 });
    expect(await page.execute('list-invoices')).toMatchObject({ status: '401' });
    await moveClock({ reset: true });
    expect(await page.session.innerText()).toBe('The token has expired. Log in again.');
  });

  it('takes other credentials', async () => {
    const page = await open();
    await page.execute('login');
    const dialog = page.page.getByRole('dialog', { name: 'Credentials' });
    const change = () => page.page.getByRole('button', { name: 'Credentials' }).click();

    await change();
    expect(await dialog.getByLabel('Tenant').inputValue()).toBe(demoAccount.tenant);
    expect(await dialog.getByLabel('API key').inputValue()).toBe(demoAccount.apiKey);
    await dialog.getByLabel('Tenant').fill('other.example');
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await change();
    expect(await dialog.getByLabel('Tenant').inputValue()).toBe(demoAccount.tenant);
    await dialog.getByLabel('Tenant').fill('sur.example');
    await dialog.getByLabel('Token').fill('');
    await dialog.getByLabel('Tenant').press('Enter');
    await expect.poll(() => page.session.innerText()).toContain('Not logged in. The tenant sur.example');
    expect(await page.execute('login')).toMatchObject({ status: '401' });
  });

  it('logs in beside the walkthrough, and says why it could not', async () => {
    const page = await open();
    const panel = page.page.getByRole('form', { name: 'Log in here' });
    await panel.getByLabel('Password').fill('wrong');
    await panel.getByRole('button').click();
    await panel.getByText('The login was refused').waitFor();
    await panel.getByLabel('Password').fill(demoAccount.password);
    await panel.getByRole('button').click();
    await panel.getByText('Logged in as ana@demo.example').waitFor();
    expect(await page.execute('get-invoice')).toMatchObject({ status: '200' });
  });

  it('says to log in first beside a 401 of a call without a token', async () => {
    const page = await open();
    expect(await page.execute('get-invoice')).toMatchObject({ status: '401' });
    const link = page.operation('get-invoice').getByRole('link', { name: 'Log in first' });
    await link.click();
    expect(new URL(page.page.url()).hash).toBe('#authentication');
    await page.execute('login');
    await page.execute('get-invoice');
    expect(await link.count()).toBe(0);
  });

  it('names the request and gives the same call with curl', async () => {
    const page = await open();
    await page.execute('login');
    const answer = page.operation('login').locator('.answer');
    expect(await answer.locator('.request-id').innerText()).toMatch(/^X-Request-Id: [\da-f-]{36}$/);
    await answer.getByText('The same call with curl').click();
    const command = await answer.locator('details', { hasText: 'The same call' }).locator('pre').innerText();
    expect(command).toContain(`curl -s ${service.url}/apidev/v1/login`);
    expect(command).toContain('"password": "Demo-2026!"');
  });

  it('shows markup in an answer as text', async () => {
    const page = await open();
    await page.execute('login');
    const notes = `<img src=x onerror="document.title='changed'"><b>`;
    await page.execute('declare-invoice', { invoice_id: '9002', amount: 0, notes });
    await page.page.locator('#get-invoice input[name=id]').fill('9002');
    const detail = await page.execute('get-invoice');
    expect(detail).toMatchObject({ body: { data: { declared_notes: notes } } });
    expect(await page.operation('get-invoice').locator('.answer :is(img, b:not(.status))').count()).toBe(0);
    expect(await page.page.title()).not.toBe('changed');
  });

  it('puts what is typed into a parameter into the path and the query as it is', async () => {
    const page = await open();
    await page.execute('login');
    await page.page.locator('#list-invoices input[name=search]').fill('a&limit=1#ñ');
    const [request] = await Promise.all([
      page.page.waitForRequest((one) => one.url().includes('/invoices?')),
      page.execute('list-invoices'),
    ]);
    expect(new URL(request.url()).searchParams.get('search')).toBe('a&limit=1#ñ');
    await page.page.locator('#get-invoice input[name=id]').fill('../login');
    expect(await page.execute('get-invoice')).toMatchObject({ body: { success: false } });
  });

  it('restores what it filled in', async () => {
    const page = await open();
    const operation = await page.choose('validate-amount');
    const before = await operation.locator('textarea').inputValue();
    await operation.locator('textarea').fill('{}');
    await operation.getByRole('button', { name: 'Reset' }).click();
    expect(await operation.locator('textarea').inputValue()).toBe(before);
  });

  it('opens at the operation that the address names', async () => {
    const page = await open('#declare-batch');
    await expect.poll(() => topOf('declare-batch', page)).toBeLessThan(200);
    expect(await page.page.locator('nav [aria-current]').innerText()).toContain('Declare a batch');
    await page.page.getByRole('link', { name: 'List invoices' }).click();
    await expect.poll(() => topOf('list-invoices', page)).toBeLessThan(200);
    await page.page.goBack();
    await expect.poll(() => topOf('declare-batch', page)).toBeLessThan(200);
  });

  it('leads an address of an earlier version to its operation', async () => {
    const page = await open('#/Declarations/declare-batch');
    await expect.poll(() => topOf('declare-batch', page)).toBeLessThan(200);
    expect(new URL(page.page.url()).hash).toBe('#declare-batch');
  });

  it('is all there with an address that names nothing', async () => {
    const page = await open('#%E0');
    expect(await page.operationIds()).toHaveLength(11);
    await page.page.evaluate("location.hash = '#%E1'");
    expect(await page.execute('login')).toMatchObject({ status: '200' });
  });

  it('fills in nothing without demo data, and says so', async () => {
    const empty = await startLocalService({ demo: false });
    try {
      const page = await open('', {}, empty);
      expect(await page.session.innerText()).toContain('There are no demo data here');
      expect(await page.execute('login')).toMatchObject({
        status: '401',
        body: { error: { message: 'The tenant header is required.' } },
      });
    } finally {
      await empty.close();
    }
  });
});

describe('the search', () => {
  it.each(['Control+k', '/'])('opens with %s, and Enter leads to the first result', async (key) => {
    const { page } = await open();
    await page.keyboard.press(key);
    await page.getByRole('combobox', { name: 'Search' }).fill('declare a batch');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#declare-batch');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('finds operations, fields, errors and headings of the guide', async () => {
    const page = await open();
    expect((await page.find('declare an invoice'))[0]).toBe('Declare an invoice');
    expect((await page.find('within_tolerance'))[0]).toBe('within_tolerance');
    expect((await page.find('rate_limited'))[0]).toBe('RATE_LIMITED');
    expect((await page.find('retries'))[0]).toBe('Retries');
    expect(await page.find('nothing of the kind')).toEqual([]);
    expect(await page.page.locator('#search-count').innerText()).toBe('Nothing found');
  });

  it('is moved through with the arrows, and tells readers which result is chosen', async () => {
    const page = await open();
    await page.find('invoice');
    const input = page.page.getByRole('combobox', { name: 'Search' });
    expect(await input.getAttribute('aria-activedescendant')).toBe('search-result-0');
    await page.page.keyboard.press('ArrowDown');
    expect(await input.getAttribute('aria-activedescendant')).toBe('search-result-1');
    expect(await page.page.locator('[role=option][aria-selected=true]').getAttribute('id')).toBe('search-result-1');
    await page.page.keyboard.press('Escape');
    expect(await page.page.getByRole('dialog').count()).toBe(0);
  });

  it('leaves a slash alone that is typed into a field', async () => {
    const page = await open();
    const body = (await page.choose('login')).locator('textarea');
    await body.focus();
    await page.page.keyboard.press('/');
    expect(await page.page.getByRole('dialog').count()).toBe(0);
    expect(await body.inputValue()).toContain('/');
  });

  it('ignores accents in Spanish', async () => {
    const page = await open('es/');
    expect((await page.find('limites'))[0]).toBe('Límites');
  });
});

describe('the samples', () => {
  it('show one language for all operations, and remember it', async () => {
    const { page } = await open();
    const shown = () => page.locator('.sample:visible').evaluateAll((all) => all.map((one) => one.dataset['sample']));
    expect(new Set(await shown())).toEqual(new Set(['curl']));
    await page.locator('#login').getByRole('button', { name: 'PHP' }).click();
    expect(await shown()).toEqual(Array(11).fill('php'));
    expect(await page.locator('#get-invoice [aria-pressed=true]').innerText()).toBe('PHP');
    await page.reload();
    expect(new Set(await shown())).toEqual(new Set(['php']));
  });

  it('name the address of the service that serves them', async () => {
    const { page } = await open();
    const code = await page.locator('.sample code').allTextContents();
    expect(code).toHaveLength(44);
    expect(code.filter((sample) => !sample.includes(service.url))).toEqual([]);
  });
});

describe('the language', () => {
  it.each([
    ['es-AR', 'es'],
    ['en-GB', 'en'],
    ['pt-BR', 'en'],
  ])('of a browser in %s is %s', async (locale, language) => {
    const { page } = await open('#get-invoice', { locale });
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(language);
    await expect.poll(() => new URL(page.url()).hash).toBe('#get-invoice');
  });

  it('is switched at the same place, and the choice is remembered', async () => {
    const { page } = await open('#get-invoice', { locale: 'es-AR' });
    await page.getByRole('link', { name: 'English' }).click();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en');
    expect(new URL(page.url()).hash).toBe('#get-invoice');
    await page.goto(`${service.url}/docs/`);
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });

  it('of the page is that of the messages of the service', async () => {
    const page = await open('es/');
    expect(await page.execute('get-invoice')).toMatchObject({
      status: '401',
      body: { error: { message: expect.stringMatching(/^El token/) } },
    });
    expect(await page.operation('get-invoice').getByRole('link', { name: 'Inicie sesión primero' }).count()).toBe(1);
  });
});

describe('the language of messages', () => {
  it('is the one that is typed into the form', async () => {
    const page = await open();
    const field = page.page.locator('#get-invoice input[name=Accept-Language]');
    expect(await field.inputValue()).toBe('en');
    await field.fill('es-AR');
    expect(await page.execute('get-invoice')).toMatchObject({
      body: { error: { message: expect.stringMatching(/^El token/) } },
    });
  });
});

describe('without JavaScript', () => {
  it('everything can be read, and nothing is offered that would not work', async () => {
    const { page } = await open('', { javaScriptEnabled: false });
    expect(await page.locator('.sample:visible').count()).toBe(44);
    expect(await page.locator('.fields:visible').count()).toBeGreaterThan(40);
    expect(await page.locator('button:visible, textarea:visible').count()).toBe(0);
    expect(await page.locator('#fold').count()).toBe(1);
  });
});

describe('a built site', () => {
  it('opens from the disk: reading, samples and search work, and nothing can be tried out', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docs-'));
    try {
      buildSite(folder, {});
      const page = await ReferencePage.open(browser, pathToFileURL(folder).href, 'index.html');
      opened.push(page);
      expect(await page.operationIds()).toHaveLength(11);
      expect((await page.find('declare a batch'))[0]).toBe('Declare a batch');
      await page.page.keyboard.press('Enter');
      expect(await page.page.getByRole('button', { name: 'Execute' }).count()).toBe(0);
      await page.page.getByRole('link', { name: 'Español' }).click();
      await expect.poll(() => page.page.locator('html').getAttribute('lang')).toBe('es');
      expect(await page.page.getByText('En esta página no se puede probar').count()).toBe(1);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('calls the service that it was built for from a subfolder of the same origin, as one published beside it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docs-'));
    try {
      buildSite(folder, { baseUrl: service.url });
      const page = await open('', {});
      await page.page.route('**/guides/api/**', (route) =>
        route.fulfill({ path: join(folder, new URL(route.request().url()).pathname.replace('/guides/api/', '')) }),
      );
      await page.page.goto(`${service.url}/guides/api/index.html`);
      await page.page.getByRole('button', { name: 'Credentials' }).click();
      await page.page.getByRole('dialog').getByLabel('Tenant').fill(demoAccount.tenant);
      await page.page.getByRole('dialog').getByLabel('Tenant').press('Enter');
      expect(await page.execute('login')).toMatchObject({ status: '200' });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('a site of another origin than its service', () => {
  it('says that there is no answer it may show, and why', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docs-'));
    try {
      buildSite(folder, { baseUrl: service.url });
      const page = await open();
      await page.page.route('http://guides.example/**', (route) =>
        route.fulfill({ path: join(folder, new URL(route.request().url()).pathname) }),
      );
      await page.page.goto('http://guides.example/index.html');
      expect(await page.page.getByText('The API sends no CORS headers').count()).toBe(1);
      const form = (await page.choose('login')).locator('form.try');
      await form.getByRole('button', { name: 'Execute' }).click();
      const answer = form.locator('.answer');
      expect(await answer.locator('.status').innerText()).toBe('No answer');
      expect(await answer.innerText()).toContain('may not show its answer to a page of this origin');
      // The browser's own words on the call that it refused.
      page.complaints.length = 0;
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe.each([
  ['en', ''],
  ['es', 'es/'],
])('for everybody, in %s', (language, address) => {
  it('has a title, a language, landmarks and headings', async () => {
    const { page } = await open(address);
    const title = { en: 'Supplier Portal Invoice Service', es: 'Servicio de facturas del portal de prestadores' }[
      language
    ];
    expect(await page.title()).toMatch(new RegExp(`^${title}: `));
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    for (const landmark of ['banner', 'navigation', 'main', 'contentinfo', 'complementary'] as const) {
      expect(await page.getByRole(landmark).count(), landmark).toBe(1);
    }
    expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual([title]);
  });

  it('skips to the operations with the first key', async () => {
    const { page } = await open(address);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('endpoints');
  });

  it('names every control, and every field of an operation', async () => {
    const page = await open(address);
    await page.execute('login');
    const tree = await page.page.locator('body').ariaSnapshot();
    const controls = tree.match(/- '?(button|link|textbox|combobox|tab|dialog|searchbox)\b.*/g) ?? [];
    expect(controls.length).toBeGreaterThan(80);
    expect(controls.filter((control) => !/^- '?\w+ ".+"/.test(control))).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('has enough contrast in the %s scheme', async (colorScheme) => {
    const page = await open(address, { colorScheme });
    await page.execute('login');
    await page.execute('validate-amount', { invoice_id: '9001', amount: -1 });
    await page.find('a');
    expect(await page.page.evaluate(faintTexts)).toEqual([]);
  });

  it('fits a phone', async () => {
    const page = await open(address, phone);
    await page.execute('login');
    await page.execute('list-invoices');
    expect(await page.page.evaluate('document.documentElement.scrollWidth')).toBe(phone.viewport.width);
  });

  it.each([1440, 1920])('uses the width of a screen of %i', async (width) => {
    const { page } = await open(address, { viewport: { width, height: 1000 } });
    const box = await page.locator('#login .doing').boundingBox();
    expect(box!.x + box!.width).toBeGreaterThan(width - 80);
  });
});

describe('on paper', () => {
  it('everything is read and nothing is offered', async () => {
    const { page } = await open();
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('button:visible, aside:visible, textarea:visible').count()).toBe(0);
    expect(await page.locator('.fields:visible').count()).toBeGreaterThan(40);
  });
});

describe.runIf(screenshots)('a picture', () => {
  it.each([
    ['light', desktop],
    ['dark', { ...desktop, colorScheme: 'dark' }],
    ['phone', phone],
    ['phone-dark', { ...phone, colorScheme: 'dark' }],
  ] as const)('of the page and of an answer: %s', async (name, options) => {
    const page = await open('', options);
    const picture = (what: string) => page.page.screenshot({ path: `${screenshots}/${name}-${what}.png` });
    await picture('page');
    await page.execute('login');
    await page.execute('declare-invoice', { invoice_id: '9012', amount: 2600 });
    await page
      .operation('declare-invoice')
      .locator('form.try')
      .evaluate((form) => form.scrollIntoView());
    await picture('answer');
    expect(await page.session.innerText()).toContain('Logged in');
  });
});

async function moveClock(command: object): Promise<void> {
  await fetch(`${service.url}/_local/clock`, { method: 'POST', body: JSON.stringify(command) });
}

async function topOf(operationId: string, page: ReferencePage): Promise<number> {
  return Math.abs((await page.operation(operationId).boundingBox())!.y);
}
