import { describe, expect, it } from 'vitest';
import { ReferencePages } from './reference-pages.ts';

const pages = new ReferencePages();

describe('the samples', () => {
  it('show one language for all operations, and remember it', async () => {
    const { page } = await pages.open();
    const shown = () => page.locator('.sample:visible').evaluateAll((all) => all.map((one) => one.dataset['sample']));
    expect(new Set(await shown())).toEqual(new Set(['curl']));
    await page.locator('#login').getByRole('button', { name: 'PHP' }).click();
    expect(await shown()).toEqual(Array(11).fill('php'));
    expect(await page.locator('#get-invoice [aria-pressed=true]').innerText()).toBe('PHP');
    await page.reload();
    expect(new Set(await shown())).toEqual(new Set(['php']));
  });

  it('name the address of the service that serves them', async () => {
    const { page } = await pages.open();
    const code = await page.locator('.sample code').allTextContents();
    expect(code).toHaveLength(44);
    expect(code.filter((sample) => !sample.includes(pages.url))).toEqual([]);
  });
});
