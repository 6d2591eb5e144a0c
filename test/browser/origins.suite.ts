import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { buildSite } from '../../infra/openapi/page/build-site.ts';
import { ReferencePages } from './reference-pages.ts';

const pages = new ReferencePages();
const folder = mkdtempSync(join(tmpdir(), 'docs-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Opens the site in the folder at this address. */
async function openSite(address: string, name = 'index.html') {
  const page = await pages.open();
  await page.page.route(`${address}**`, (route) =>
    route.fulfill({
      path: join(folder, new URL(route.request().url()).pathname.slice(new URL(address).pathname.length)),
    }),
  );
  await page.page.goto(address + name);
  return page;
}

describe('a built site', () => {
  it('a built site opens from the disk in both languages, and offers no requests', async () => {
    buildSite(folder);
    for (const [name, title] of [
      ['index.html', /^Supplier Portal/],
      ['es/index.html', /^Servicio de facturas/],
    ] as const) {
      const page = await pages.open(name, {}, pathToFileURL(folder).href);
      expect(await page.title()).toMatch(title);
      const button = await page.showOperation('login');
      await page.page.getByText('/apidev/v1/login').first().waitFor();
      expect(await button.count()).toBe(0);
    }
  });

  it('a built site under the address of its service sends requests to it, and contains no password', async () => {
    buildSite(folder, pages.service.url);
    const page = await openSite(`${pages.service.url}/guides/api/`);
    const { url, status, body } = await page.send('WSListarFacturas');
    expect({ url, status }).toEqual({ url: `${pages.service.url}/apidev/legacy/WSListarFacturas`, status: 200 });
    expect(body).toMatchObject({ Resultado: { Exito: false } });
  });

  it('a built site on another origin than its service shows that a request failed', async () => {
    buildSite(folder, pages.service.url);
    const page = await openSite('http://guides.example/');
    const form = await page.openForm('login');
    await form.getByRole('button', { name: /^Send/ }).first().click();
    await form.getByText('Failed to fetch').first().waitFor();
    // The browser reports that it blocked the response.
    expect(page.problems.splice(0).join()).toContain('CORS policy');
  });
});
