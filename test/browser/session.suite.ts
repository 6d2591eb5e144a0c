import { describe, expect, it } from 'vitest';
import { demoAccount } from '../../infra/demo-account.ts';
import { startLocalService } from '../support/service/local-service.ts';
import { ReferencePages } from './reference-pages.ts';

const pages = new ReferencePages();

describe('the session of the page', () => {
  it('serves a session: log in, list, declare, open', async () => {
    const page = await pages.open();
    expect(await page.session.innerText()).toContain('Not logged in.');

    expect(await page.execute('login')).toMatchObject({ status: '200', body: { success: true } });
    expect(await page.session.innerText()).toBe('Logged in as ana@demo.example (tenant demo.example)');

    const list = await page.execute('list-invoices');
    expect(list).toMatchObject({ status: '200', body: { data: { rows: [{}, { invoice_id: '9001' }] } } });

    const declared = await page.execute('declare-invoice', { invoice_id: '9001', amount: 1049.5 });
    expect(declared).toMatchObject({ status: '200', body: { data: { declared_amount: 1049.5 } } });

    const detail = await page.execute('get-invoice');
    const row = { invoice_id: '9001', declared_amount: 1049.5, state_code: 'APR' };
    expect(detail).toMatchObject({ status: '200', body: { data: row } });
  });

  it('drops a token that has expired, and says so', async () => {
    const page = await pages.open();
    await page.execute('login');
    await moveClock({ advance_seconds: 3_601 });
    expect(await page.execute('list-invoices')).toMatchObject({ status: '401' });
    await moveClock({ reset: true });
    expect(await page.session.innerText()).toBe('The token has expired. Log in again.');
  });

  it('takes other credentials', async () => {
    const page = await pages.open();
    await page.execute('login');
    await page.page.getByRole('link', { name: 'Credentials' }).click();
    const form = page.page.getByRole('form', { name: 'Log in here' });
    expect(await form.getByLabel('Tenant').inputValue()).toBe(demoAccount.tenant);
    expect(await form.getByLabel('API key').inputValue()).toBe(demoAccount.apiKey);
    await form.getByLabel('Tenant').fill('sur.example');
    await form.getByLabel('Token').fill('');
    await expect.poll(() => page.session.innerText()).toContain('Not logged in. The tenant sur.example');
    expect(await page.execute('login')).toMatchObject({ status: '401' });
  });

  it('logs in beside the walkthrough, and says why it could not', async () => {
    const page = await pages.open();
    const panel = page.page.getByRole('form', { name: 'Log in here' });
    await panel.getByLabel('Password').fill('wrong');
    await panel.getByRole('button').click();
    await panel.getByText('The login was refused').waitFor();
    await panel.getByLabel('Password').fill(demoAccount.password);
    await panel.getByRole('button').click();
    await panel.getByText('Logged in as ana@demo.example').waitFor();
    expect(await page.execute('get-invoice')).toMatchObject({ status: '200' });
  });

  it('ends when somebody logs out', async () => {
    const page = await pages.open();
    const button = page.page.getByRole('button', { name: 'Log out' });
    expect(await button.count()).toBe(0);
    await page.page.getByRole('form', { name: 'Log in here' }).getByRole('button').click();
    await page.page.locator('#log-in-outcome').getByText('Logged in as ana@demo.example').waitFor();
    await button.click();
    expect(await page.page.locator('#log-in-outcome').textContent()).toBe('');
    expect(await page.session.innerText()).toContain('Not logged in.');
    expect(await button.count()).toBe(0);
    expect(await page.page.evaluate('document.activeElement.name')).toBe('email');
    expect(await page.execute('get-invoice')).toMatchObject({ status: '401' });
  });

  it('takes a token as it is pasted, with the name of its scheme and line breaks, and does not say whose it is', async () => {
    const page = await pages.open();
    await page.page.locator('#log-in').getByLabel('Token').fill(' Bearer abc\n  def\n');
    expect(await page.session.innerText()).toBe('With the token that was entered (tenant demo.example)');
    const [request] = await Promise.all([page.page.waitForRequest('**/invoices/9001'), page.execute('get-invoice')]);
    expect(request.headers()['authorization']).toBe('Bearer abcdef');
    expect(await page.operation('get-invoice').getByRole('link', { name: 'Log in again' }).count()).toBe(1);
  });

  it('says to log in first beside a 401 of a call without a token', async () => {
    const page = await pages.open();
    expect(await page.execute('get-invoice')).toMatchObject({ status: '401' });
    const link = page.operation('get-invoice').getByRole('link', { name: 'Log in first' });
    await link.click();
    expect(new URL(page.page.url()).hash).toBe('#authentication');
    await page.execute('login');
    await page.execute('get-invoice');
    expect(await link.count()).toBe(0);
  });

  it('fills in nothing without demo data, and says so', async () => {
    const empty = await startLocalService({ demo: false });
    try {
      const page = await pages.open('', {}, empty.url);
      expect(await page.session.innerText()).toContain('There are no demo data here');
      expect(await page.execute('login')).toMatchObject({
        status: '401',
        body: { error: { message: 'The tenant header is required.' } },
      });
    } finally {
      await empty.close();
    }
  });
});

async function moveClock(command: object): Promise<void> {
  await fetch(`${pages.url}/_local/clock`, { method: 'POST', body: JSON.stringify(command) });
}
