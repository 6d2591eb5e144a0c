import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { buildSite } from '../../infra/openapi/page/build-site.ts';
import { ReferencePages } from './reference-pages.ts';

const pages = new ReferencePages();
const folder = mkdtempSync(join(tmpdir(), 'docs-'));
afterAll(() => rmSync(folder, { recursive: true }));

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
