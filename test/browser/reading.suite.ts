import { describe, expect, it } from 'vitest';
import { faintTexts } from './contrast.js';
import type { ReferencePage } from './reference-page.ts';
import { ReferencePages } from './reference-pages.ts';

const pages = new ReferencePages();
const phone = { viewport: { width: 390, height: 844 } };

describe.each(['', 'es/'])('for everybody, at /docs/%s', (address) => {
  it('has landmarks and one heading, and names every control and every field of an operation', async () => {
    const opened = await pages.open(address);
    for (const landmark of ['banner', 'navigation', 'main', 'contentinfo', 'complementary'] as const)
      expect(await opened.page.getByRole(landmark).count(), landmark).toBe(1);
    expect(await opened.page.getByRole('heading', { level: 1 }).count()).toBe(1);
    await opened.execute('login');
    await opened.openAll();
    const tree = await opened.page.locator('body').ariaSnapshot();
    const controls = tree.match(/- '?(button|link|textbox|combobox|tab|dialog|searchbox)\b.*/g) ?? [];
    expect(controls.length).toBeGreaterThan(80);
    expect(controls.filter((control) => !/^- '?\w+ ".+"/.test(control))).toEqual([]);
  });

  it('fits a phone, with search and contents at hand anywhere', async () => {
    const opened = await pages.open(address, phone);
    const { page } = opened;
    await opened.execute('login');
    await opened.execute('list-invoices');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.viewport.width);
    const inSight = async (selector: string) => {
      const box = await page.locator(selector).boundingBox();
      return box!.y >= 0 && box!.y + box!.height <= phone.viewport.height;
    };
    await opened.choose('declare-batch');
    await expect.poll(() => inSight('#declare-batch-title')).toBe(true);
    expect(await inSight('#search')).toBe(true);
    expect(await page.locator('nav a:visible').count()).toBe(0);
  });
});

it.each(['light', 'dark'] as const)('has enough contrast in the %s scheme', async (colorScheme) => {
  const opened = await pages.open('', { colorScheme });
  await opened.execute('login');
  await opened.execute('validate-amount', { invoice_id: '9001', amount: -1 });
  expect(await opened.page.evaluate(faintTexts)).toEqual([]);
});

it('skips to the operations with the first key, and uses the width of the screen', async () => {
  const { page } = await pages.open('', { viewport: { width: 1920, height: 1000 } });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('endpoints');
  const box = await page.locator('#login .doing').boundingBox();
  expect(box!.x + box!.width).toBeGreaterThan(1920 - 80);
});

it('without JavaScript everything can be read, and nothing is offered that would not work', async () => {
  const { page } = await pages.open('', { javaScriptEnabled: false });
  expect(await page.locator('.sample:visible').count()).toBe(44);
  expect(await page.locator('.fields:visible').count()).toBeGreaterThan(40);
  expect(await page.locator('button:visible, textarea:visible').count()).toBe(0);
  expect(await page.locator('nav a:visible').count()).toBeGreaterThan(15);
  await page.setViewportSize(phone.viewport);
  expect(await page.locator('nav a:visible').count()).toBe(0);
  await page.locator('#contents > summary').click();
  expect(await page.locator('nav a:visible').count()).toBeGreaterThan(15);
});

it('on paper everything is read and nothing is offered', async () => {
  const { page } = await pages.open();
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('#login .sample:visible figcaption').innerText()).toBe('curl');
  expect(await page.locator('button:visible, aside:visible, textarea:visible').count()).toBe(0);
  expect(await page.locator('.fields:visible').count()).toBeGreaterThan(40);
  expect(await page.locator('.fold h4[id$="-parameters"]').filter({ visible: true }).count()).toBe(11);
});

describe('the address', () => {
  const topOf = async (operationId: string, page: ReferencePage) =>
    Math.abs((await page.operation(operationId).boundingBox())!.y);

  it('names the operation at which the page opens, also on the way back', async () => {
    const page = await pages.open('#declare-batch');
    await expect.poll(() => topOf('declare-batch', page)).toBeLessThan(200);
    await page.page.getByRole('link', { name: 'List invoices' }).click();
    await expect.poll(() => topOf('list-invoices', page)).toBeLessThan(200);
    await page.page.goBack();
    await expect.poll(() => topOf('declare-batch', page)).toBeLessThan(200);
  });

  it('opens one operation at a time: the first, or the one that a link or the search leads to', async () => {
    const opened = await pages.open();
    const folds = opened.page.locator('details.fold[open]');
    const shown = () => folds.evaluateAll((all) => all.map((one) => one.parentElement!.id));
    await expect.poll(shown).toEqual(['login']);
    await opened.choose('list-invoices');
    await expect.poll(shown).toEqual(['list-invoices']);
    await opened.page.locator('#list-invoices summary').first().click();
    await expect.poll(shown).toEqual([]);
    await opened.find('validate within_tolerance');
    await expect.poll(shown).toEqual(['validate-amount']);
  });

  it('may name nothing', async () => {
    const page = await pages.open('#%E0');
    expect(await page.operationIds()).toHaveLength(11);
    await page.page.evaluate("location.hash = '#%E1'");
    expect(await page.execute('login')).toMatchObject({ status: '200' });
  });
});

it('the language is that of the browser, until another is chosen, which is remembered', async () => {
  const { page } = await pages.open('#get-invoice', { locale: 'es-AR' });
  const language = () => page.locator('html').getAttribute('lang');
  await expect.poll(language).toBe('es');
  await expect.poll(() => new URL(page.url()).hash).toBe('#get-invoice');
  await page.getByRole('link', { name: 'English' }).click();
  await expect.poll(language).toBe('en');
  expect(new URL(page.url()).hash).toBe('#get-invoice');
  await page.goto(`${pages.service.url}/docs/`);
  expect(await language()).toBe('en');
});

describe('the search', () => {
  it.each([
    ['', 'declare an invoice', 'declare-invoice'],
    ['', 'rate_limited', 'error-RATE_LIMITED'],
    ['', 'retries', 'guide-retries'],
    ['es/', 'limites', 'guide-límites'],
  ])('at /docs/%s for "%s" leads to %s', async (address, words, found) => {
    expect(await (await pages.open(address)).find(words)).toBe(found);
  });

  it('proposes names, says that there is no such name, and stays where it is', async () => {
    const page = await pages.open();
    const options = page.page.locator('#names option');
    const names = await options.evaluateAll((all) => all.map((one) => one.getAttribute('value')));
    expect(names).toEqual(expect.arrayContaining(['List invoices', 'declare-batch-body.declarations', 'Limits']));
    expect(await page.find('xylophone')).toBe('');
    const input = page.page.getByRole('combobox', { name: 'Search' });
    expect(await input.evaluate((field) => Reflect.get(field, 'validationMessage'))).toBe('Nothing found');
  });
});

describe('the samples', () => {
  it('show one language for all operations, and remember it', async () => {
    const opened = await pages.open();
    const { page } = opened;
    await opened.openAll();
    const shown = () => page.locator('.sample:visible').evaluateAll((all) => all.map((one) => one.dataset['sample']));
    expect(new Set(await shown())).toEqual(new Set(['curl']));
    await page.getByLabel('Language of the samples').selectOption('PHP');
    expect(await shown()).toEqual(Array(11).fill('php'));
    await page.reload();
    expect(new Set(await shown())).toEqual(new Set(['php']));
  });

  it('are copied, however often, and the button says so and goes back to its name', async () => {
    const { page } = await pages.open('', { permissions: ['clipboard-read', 'clipboard-write'] });
    const button = page.locator('#login .copy');
    await button.click();
    await button.click();
    expect(await button.innerText()).toBe('Copied');
    expect(await page.locator('#announcement').textContent()).toBe('Copied');
    await expect.poll(() => button.innerText()).toBe('Copy');
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      `curl -sS ${pages.service.url}/apidev/v1/login`,
    );
  });

  it('are selected where the browser gives no clipboard, as over plain HTTP', async () => {
    const { page } = await pages.open();
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.locator('#login .copy').click();
    await expect.poll(() => page.evaluate('getSelection().toString()')).toContain('apidev/v1/login');
    expect(await page.locator('#login .copy').innerText()).toBe('Selected');
  });
});
