import { describe, expect, it } from 'vitest';
import type { ReferencePage } from './reference-page.ts';
import { ReferencePages } from './reference-pages.ts';

const pages = new ReferencePages();

describe('the page', () => {
  it('opens at the operation that the address names', async () => {
    const page = await pages.open('#declare-batch');
    await expect.poll(() => topOf('declare-batch', page)).toBeLessThan(200);
    await page.page.getByRole('link', { name: 'List invoices' }).click();
    await expect.poll(() => topOf('list-invoices', page)).toBeLessThan(200);
    await page.page.goBack();
    await expect.poll(() => topOf('declare-batch', page)).toBeLessThan(200);
  });

  it('shows one operation at a time, the first or the one that a link or the search leads to, and all on paper', async () => {
    const opened = await pages.open();
    const { page } = opened;
    const shown = () =>
      page.locator('details.fold[open]').evaluateAll((all) => all.map((one) => one.parentElement!.id));
    await expect.poll(shown).toEqual(['login']);
    await opened.choose('list-invoices');
    await expect.poll(shown).toEqual(['list-invoices']);
    await page.locator('#list-invoices summary').first().click();
    await expect.poll(shown).toEqual([]);
    await opened.choose('list-invoices');
    await expect.poll(shown).toEqual(['list-invoices']);
    await opened.find('declaration_id');
    await expect.poll(shown).toHaveLength(1);
    expect(await shown()).not.toEqual(['list-invoices']);
    await page.emulateMedia({ media: 'print' });
    const headings = page.locator('.fold h4[id$="-parameters"]');
    expect(await headings.filter({ visible: true }).count()).toBe(11);
  });

  it('is all there with an address that names nothing', async () => {
    const page = await pages.open('#%E0');
    expect(await page.operationIds()).toHaveLength(11);
    await page.page.evaluate("location.hash = '#%E1'");
    expect(await page.execute('login')).toMatchObject({ status: '200' });
  });
});

describe('the language', () => {
  it.each([
    ['es-AR', 'es'],
    ['en-GB', 'en'],
    ['pt-BR', 'en'],
  ])('of a browser in %s is %s', async (locale, language) => {
    const { page } = await pages.open('#get-invoice', { locale });
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(language);
    await expect.poll(() => new URL(page.url()).hash).toBe('#get-invoice');
  });

  it('is switched at the same place, and the choice is remembered', async () => {
    const { page } = await pages.open('#get-invoice', { locale: 'es-AR' });
    await page.getByRole('link', { name: 'English' }).click();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en');
    expect(new URL(page.url()).hash).toBe('#get-invoice');
    await page.goto(`${pages.url}/docs/`);
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });

  it('is switched where the browser keeps nothing, too', async () => {
    const { page } = await pages.open('es/', { locale: 'es-AR' });
    await page.addInitScript(() => {
      Object.defineProperty(globalThis, 'localStorage', {
        get: () => {
          throw new Error('denied');
        },
      });
    });
    await page.reload();
    await page.getByRole('link', { name: 'English' }).click();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en');
  });

  it('of the page is that of the messages of the service', async () => {
    const page = await pages.open('es/');
    expect(await page.execute('get-invoice')).toMatchObject({
      status: '401',
      body: { error: { message: expect.stringMatching(/^El token/) } },
    });
    expect(await page.operation('get-invoice').getByRole('link', { name: 'Inicie sesión primero' }).count()).toBe(1);
  });
});

async function topOf(operationId: string, page: ReferencePage): Promise<number> {
  return Math.abs((await page.operation(operationId).boundingBox())!.y);
}
