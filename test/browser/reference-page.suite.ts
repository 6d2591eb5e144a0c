import { type Browser, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { demoAccount } from '../../infra/local/demo.ts';
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

  it('opens the operation that the address names', async () => {
    const page = await open('#/Declarations/declare-batch');
    const body = page.operation('declare-batch').getByLabel('Request body');
    await body.waitFor();
    await expect.poll(() => topOf('declare-batch', page)).toBeLessThan(200);
    expect(await page.page.locator('nav [aria-current]').innerText()).toContain('Declare up to 100 amounts');

    await page.page.getByRole('link', { name: 'List your invoices' }).click();
    await expect.poll(() => topOf('list-invoices', page)).toBeLessThan(200);
    await page.page.goBack();
    await expect.poll(() => topOf('declare-batch', page)).toBeLessThan(200);

    await page.operation('validate-amount').getByRole('button').first().click();
    expect(page.page.url()).toBe(`${service.url}/docs#/Declarations/validate-amount`);
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

describe('for everybody', () => {
  it('has a title, a language, landmarks and headings', async () => {
    const { page } = await open();
    expect(await page.title()).toBe('Supplier Portal Invoice Service: API reference');
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    for (const landmark of ['banner', 'navigation', 'main', 'contentinfo', 'complementary'] as const) {
      expect(await page.getByRole(landmark).count(), landmark).toBe(1);
    }
    expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual(['Supplier Portal Invoice Service']);
  });

  it('names every control, and every field of an operation', async () => {
    const page = await open();
    await page.execute('login');
    await page.openAll();
    const tree = await page.page.locator('body').ariaSnapshot();
    const controls = tree.match(/- '?(button|link|textbox|combobox|tab|dialog)\b.*/g) ?? [];
    expect(controls.length).toBeGreaterThan(80);
    expect(controls.filter((control) => !/^- '?\w+ ".+"/.test(control))).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('has enough contrast in the %s scheme', async (colorScheme) => {
    const page = await open('', { colorScheme });
    await page.execute('login');
    await page.execute('validate-amount', { invoice_id: '9001', amount: -1 });
    await page.openAll();
    expect(await page.page.evaluate(faintTexts)).toEqual([]);
  });

  it('fits a phone', async () => {
    const page = await open('', phone);
    await page.openAll();
    expect(await page.page.evaluate('document.documentElement.scrollWidth')).toBe(phone.viewport.width);
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
      .getByLabel('Request body')
      .evaluate((field) => field.scrollIntoView());
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
