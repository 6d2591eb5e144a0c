import { describe, expect, it } from 'vitest';
import { ReferencePages } from './reference-pages.ts';

const pages = new ReferencePages();

/** A directory to write pictures of the page to. */
const screenshots = process.env['DOCS_SCREENSHOTS'];

const desktop = { viewport: { width: 1360, height: 1000 } };
const phone = { viewport: { width: 390, height: 844 } };

describe.runIf(screenshots)('a picture', () => {
  it.each([
    ['light', desktop],
    ['dark', { ...desktop, colorScheme: 'dark' }],
    ['phone', phone],
    ['phone-dark', { ...phone, colorScheme: 'dark' }],
  ] as const)('of the page and of an answer: %s', async (name, options) => {
    const page = await pages.open('', options);
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
