import { describe, expect, it } from 'vitest';
import { faintTexts } from './contrast.js';
import { ReferencePages } from './reference-pages.ts';

const pages = new ReferencePages();

const phone = { viewport: { width: 390, height: 844 } };

describe.each([
  ['en', ''],
  ['es', 'es/'],
])('for everybody, in %s', (language, address) => {
  it('has a title, a language, landmarks and headings', async () => {
    const { page } = await pages.open(address);
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
    const { page } = await pages.open(address);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('endpoints');
  });

  it('names every control, and every field of an operation', async () => {
    const page = await pages.open(address);
    await page.execute('login');
    await page.openAll();
    const tree = await page.page.locator('body').ariaSnapshot();
    const controls = tree.match(/- '?(button|link|textbox|combobox|tab|dialog|searchbox)\b.*/g) ?? [];
    expect(controls.length).toBeGreaterThan(80);
    expect(controls.filter((control) => !/^- '?\w+ ".+"/.test(control))).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('has enough contrast in the %s scheme', async (colorScheme) => {
    const page = await pages.open(address, { colorScheme });
    await page.execute('login');
    await page.execute('validate-amount', { invoice_id: '9001', amount: -1 });
    expect(await page.page.evaluate(faintTexts)).toEqual([]);
  });

  it('fits a phone', async () => {
    const page = await pages.open(address, phone);
    await page.execute('login');
    await page.execute('list-invoices');
    expect(await page.page.evaluate('document.documentElement.scrollWidth')).toBe(phone.viewport.width);
  });

  it('has search and contents at hand anywhere on a phone', async () => {
    const { page } = await pages.open(`${address}#declare-batch`, phone);
    const inSight = async (selector: string) => {
      const box = await page.locator(selector).boundingBox();
      return box!.y >= 0 && box!.y + box!.height <= phone.viewport.height;
    };
    await expect.poll(() => inSight('#declare-batch-title')).toBe(true);
    expect(await inSight('#search')).toBe(true);
    await page.locator('#contents > summary').click();
    await page.locator('nav a[href="#get-invoice"]').click();
    await expect.poll(() => inSight('#get-invoice-title')).toBe(true);
    expect(await page.locator('nav a:visible').count()).toBe(0);
  });

  it.each([1440, 1920])('uses the width of a screen of %i', async (width) => {
    const { page } = await pages.open(address, { viewport: { width, height: 1000 } });
    const box = await page.locator('#login .doing').boundingBox();
    expect(box!.x + box!.width).toBeGreaterThan(width - 80);
  });
});

describe('without JavaScript', () => {
  it('everything can be read, and nothing is offered that would not work', async () => {
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
});

describe('on paper', () => {
  it.each([718, 1280])('everything is read and nothing is offered, on a width of %i', async (width) => {
    const { page } = await pages.open('', { viewport: { width, height: 1000 } });
    await page.emulateMedia({ media: 'print' });
    const sample = page.locator('#login .sample:visible');
    expect(await sample.locator('figcaption').innerText()).toBe('curl');
    expect(await page.locator('button:visible, aside:visible, textarea:visible').count()).toBe(0);
    expect(await page.locator('.fields:visible').count()).toBeGreaterThan(40);
  });
});
