import { describe, expect, it } from 'vitest';
import { ReferencePages } from './reference-pages.ts';

const pages = new ReferencePages();

describe('the search', () => {
  it.each(['Control+k', '/'])('opens with %s, and Enter leads to the first result', async (key) => {
    const { page } = await pages.open();
    await page.keyboard.press(key);
    await page.getByRole('combobox', { name: 'Search' }).fill('declare a batch');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#declare-batch');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('finds operations, fields, errors and headings of the guide', async () => {
    const page = await pages.open();
    expect((await page.find('declare an invoice'))[0]).toBe('Declare an invoice');
    expect((await page.find('within_tolerance'))[0]).toBe('within_tolerance');
    expect((await page.find('rate_limited'))[0]).toBe('RATE_LIMITED');
    expect((await page.find('retries'))[0]).toBe('Retries');
    expect(await page.find('xylophone')).toEqual([]);
    expect(await page.page.locator('#search-count').innerText()).toBe('Nothing found');
  });

  it('finds what the guide and the descriptions say, and the errors of a status first', async () => {
    const page = await pages.open();
    expect(await page.find('prestador')).toEqual(['Glossary']);
    expect(await page.find('settled invoice')).toContain('Declare an invoice');
    expect((await page.find('429'))[0]).toBe('RATE_LIMITED');
  });

  it('is closed by a click beside it', async () => {
    const { page } = await pages.open();
    await page.keyboard.press('/');
    await page.mouse.click(5, 5);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('is moved through with the arrows, and tells readers which result is chosen', async () => {
    const page = await pages.open();
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
    const page = await pages.open();
    const body = (await page.choose('login')).locator('textarea');
    await body.focus();
    await page.page.keyboard.press('/');
    expect(await page.page.getByRole('dialog').count()).toBe(0);
    expect(await body.inputValue()).toContain('/');
  });

  it('ignores accents in Spanish', async () => {
    const page = await pages.open('es/');
    expect((await page.find('limites'))[0]).toBe('Límites');
  });
});
