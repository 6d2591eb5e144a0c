import { describe, expect, it } from 'vitest';
import { ReferencePages } from './reference-pages.ts';

const pages = new ReferencePages();

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
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`curl -sS ${pages.url}/apidev/v1/login`);
  });

  it('are selected where the browser gives no clipboard, as over plain HTTP', async () => {
    const { page } = await pages.open();
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.locator('#login .copy').click();
    await expect.poll(() => page.evaluate('getSelection().toString()')).toContain('apidev/v1/login');
    expect(await page.locator('#login .copy').innerText()).toBe('Selected');
  });

  it('name the address of the service that serves them', async () => {
    const { page } = await pages.open();
    const code = await page.locator('.sample code').allTextContents();
    expect(code).toHaveLength(44);
    expect(code.filter((sample) => !sample.includes(pages.url))).toEqual([]);
  });
});
