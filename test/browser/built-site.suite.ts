import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { buildSite } from '../../infra/docs/build-site.ts';
import { demoAccount } from '../../infra/demo-account.ts';
import { ReferencePages } from './reference-pages.ts';

const pages = new ReferencePages();

describe('a built site', () => {
  it('opens from the disk: reading, samples and search work, and nothing can be tried out', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docs-'));
    try {
      buildSite(folder, {});
      const page = await pages.open('index.html', {}, pathToFileURL(folder).href);
      expect(await page.operationIds()).toHaveLength(11);
      expect(await page.find('declare a batch')).toBe('declare-batch');
      expect(await page.page.getByRole('button', { name: 'Execute' }).count()).toBe(0);
      await page.page.getByRole('link', { name: 'Español' }).click();
      await expect.poll(() => page.page.locator('html').getAttribute('lang')).toBe('es');
      expect(await page.page.getByText('En esta página no se puede probar').count()).toBe(1);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('calls the service that it was built for from a subfolder of the same origin, as one published beside it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docs-'));
    try {
      buildSite(folder, { baseUrl: pages.url });
      const page = await pages.open('', {});
      await page.page.route('**/guides/api/**', (route) =>
        route.fulfill({ path: join(folder, new URL(route.request().url()).pathname.replace('/guides/api/', '')) }),
      );
      await page.page.goto(`${pages.url}/guides/api/index.html`);
      await page.page.locator('#log-in').getByLabel('Tenant').fill(demoAccount.tenant);
      const { email, password } = demoAccount;
      expect(await page.execute('login'), 'the page that is published holds no password').toMatchObject({
        status: '401',
      });
      expect(await page.execute('login', { email, password })).toMatchObject({ status: '200' });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('a site of another origin than its service', () => {
  it('says that there is no answer it may show, and why', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docs-'));
    try {
      buildSite(folder, { baseUrl: pages.url });
      const page = await pages.open();
      await page.page.route('http://guides.example/**', (route) =>
        route.fulfill({ path: join(folder, new URL(route.request().url()).pathname) }),
      );
      await page.page.goto('http://guides.example/index.html');
      expect(await page.page.getByText('The API sends no CORS headers').count()).toBe(1);
      const form = (await page.choose('login')).locator('form.try');
      await form.getByRole('button', { name: 'Execute' }).click();
      const answer = form.locator('.answer');
      expect(await answer.locator('.status').innerText()).toBe('No answer');
      expect(await answer.innerText()).toContain('may not show its answer to a page of this origin');
      // The browser's own words on the call that it refused.
      page.complaints.length = 0;
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
