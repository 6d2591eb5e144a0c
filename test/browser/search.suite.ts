import { describe, expect, it } from 'vitest';
import { ReferencePages } from './reference-pages.ts';

const pages = new ReferencePages();

describe('the search', () => {
  it('leads to operations, fields, errors and headings of the guide by their names', async () => {
    const page = await pages.open();
    expect(await page.find('declare an invoice')).toBe('declare-invoice');
    expect(await page.find('validate within_tolerance')).toBe('validate-amount-answer.data.within_tolerance');
    expect(await page.find('rate_limited')).toBe('error-RATE_LIMITED');
    expect(await page.find('retries')).toBe('guide-retries');
  });

  it('proposes the names to who types', async () => {
    const { page } = await pages.open();
    const names = await page.locator('#names option').evaluateAll((all) => all.map((one) => one.getAttribute('value')));
    expect(names).toEqual(expect.arrayContaining(['List invoices', 'declare-batch-body.declarations', 'Limits']));
  });

  it('says beside the field that there is no such name, and stays where it is', async () => {
    const page = await pages.open();
    expect(await page.find('xylophone')).toBe('');
    const input = page.page.getByRole('combobox', { name: 'Search' });
    expect(await input.evaluate((field) => Reflect.get(field, 'validationMessage'))).toBe('Nothing found');
    expect(await page.find('limits')).toBe('guide-limits');
  });

  it('ignores accents in Spanish', async () => {
    const page = await pages.open('es/');
    expect(await page.find('limites')).toBe('guide-límites');
  });
});
