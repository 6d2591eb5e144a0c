import { describe, expect, it } from 'vitest';
import { demoAccount } from '../../infra/demo-account.ts';
import { startLocalService } from '../support/service/local-service.ts';
import { moveClock } from '../support/service/service-client.ts';
import { ReferencePages } from './reference-pages.ts';

const pages = new ReferencePages();
const inSpanish = { body: { error: { message: expect.stringMatching(/^El token/) } } };

describe('trying out', () => {
  it('executes every operation as it is filled in', async () => {
    const page = await pages.open();
    const ids = await page.operationIds();
    expect(ids).toHaveLength(11);
    for (const id of ids) {
      const { status, body } = await page.execute(id);
      expect({ id, status, body }).toMatchObject({ status: '200' });
      expect(JSON.stringify(body)).toMatch(/^\{("success":true|"Resultado":\{"Exito":true)/);
    }
  });

  it('names the request and gives the same call with curl', async () => {
    const page = await pages.open();
    await page.execute('login');
    const answer = page.operation('login').locator('.answer');
    expect(await answer.locator('.header').innerText()).toMatch(/^X-Request-Id: [\da-f-]{36}$/);
    await answer.getByText('The same call with curl').click();
    const command = await answer.locator('details', { hasText: 'The same call' }).locator('pre').innerText();
    expect(command).toContain(`curl -sS ${pages.service.url}/apidev/v1/login`);
    expect(command).toContain('"password": "Demo-2026!"');
  });

  it('says how long to wait before the next request', async () => {
    const page = await pages.open();
    const refusal = { status: 429, headers: { 'Retry-After': '17' }, json: { success: false } };
    await page.page.route('**/invoices/9001', (route) => route.fulfill(refusal));
    await page.execute('get-invoice');
    expect(await page.operation('get-invoice').locator('.answer .header').innerText()).toBe('Retry-After: 17');
  });

  it('says that there is no answer when one breaks off, and can be sent again', async () => {
    const page = await pages.open();
    await page.execute('login');
    await page.page.evaluate(() => {
      const { fetch } = globalThis;
      globalThis.fetch = () => {
        globalThis.fetch = fetch;
        const start = (body: ReadableStreamDefaultController) => body.error(new Error('The connection was lost.'));
        return Promise.resolve(new Response(new ReadableStream({ start })));
      };
    });
    const form = (await page.choose('get-invoice')).locator('form.try');
    await form.getByRole('button', { name: 'Execute' }).click();
    expect(await form.locator('.answer .status').innerText()).toBe('No answer');
    expect(await form.getAttribute('aria-busy')).toBeNull();
    expect(await page.execute('get-invoice')).toMatchObject({ status: '200' });
  });

  it('leaves the focus where it was, and tells readers what the answer is', async () => {
    const page = await pages.open();
    const button = (await page.choose('get-invoice')).getByRole('button', { name: 'Execute' });
    await button.focus();
    await page.page.keyboard.press('Enter');
    await expect.poll(() => page.page.locator('#announcement').textContent()).toBe('Answer: 401 Unauthorized');
    expect(await button.evaluate((element) => element.matches(':focus'))).toBe(true);
  });

  it('sends one call at a time', async () => {
    const page = await pages.open();
    let calls = 0;
    await page.page.route('**/invoices/9001', async (route) => {
      calls += 1;
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.fulfill({ json: {} });
    });
    await (await page.choose('get-invoice')).getByRole('button', { name: 'Execute' }).dblclick();
    await page.operation('get-invoice').locator('.answer').waitFor();
    expect(calls).toBe(1);
  });

  it('shows markup in an answer as text', async () => {
    const page = await pages.open();
    await page.execute('login');
    const notes = `<img src=x onerror="document.title='changed'"><b>`;
    await page.execute('declare-invoice', { invoice_id: '9002', amount: 0, notes });
    await (await page.choose('get-invoice')).locator('input[name=id]').fill('9002');
    const detail = await page.execute('get-invoice');
    expect(detail).toMatchObject({ body: { data: { declared_notes: notes } } });
    expect(await page.operation('get-invoice').locator('.answer :is(img, b:not(.status))').count()).toBe(0);
    expect(await page.page.title()).not.toBe('changed');
  });

  it('puts what is typed into a parameter into the path and the query as it is', async () => {
    const page = await pages.open();
    await page.execute('login');
    await (await page.choose('list-invoices')).locator('input[name=search]').fill('a&limit=1#ñ');
    const [request] = await Promise.all([
      page.page.waitForRequest((one) => one.url().includes('/invoices?')),
      page.execute('list-invoices'),
    ]);
    expect(new URL(request.url()).searchParams.get('search')).toBe('a&limit=1#ñ');
    await (await page.choose('get-invoice')).locator('input[name=id]').fill('../login');
    expect(await page.execute('get-invoice')).toMatchObject({ body: { success: false } });
  });

  it('restores what it filled in', async () => {
    const operation = await (await pages.open()).choose('validate-amount');
    const before = await operation.locator('textarea').inputValue();
    await operation.locator('textarea').fill('{}');
    await operation.getByRole('button', { name: 'Reset' }).click();
    expect(await operation.locator('textarea').inputValue()).toBe(before);
  });

  it('asks for messages in the language of the page, or in the one that is typed', async () => {
    expect(await (await pages.open('es/')).execute('get-invoice')).toMatchObject(inSpanish);
    const page = await pages.open();
    await (await page.choose('get-invoice')).locator('input[name=Accept-Language]').fill('es-AR');
    expect(await page.execute('get-invoice')).toMatchObject(inSpanish);
  });
});

describe('the session of the page', () => {
  it('drops a token that has expired, and says so', async () => {
    const page = await pages.open();
    expect(await page.session.innerText()).toContain('Not logged in.');
    await page.execute('login');
    expect(await page.session.innerText()).toBe('Logged in as ana@demo.example (tenant demo.example)');
    await moveClock(pages.service.url, 3_601);
    expect(await page.execute('list-invoices')).toMatchObject({ status: '401' });
    await fetch(`${pages.service.url}/_local/clock`, { method: 'POST', body: '{"reset": true}' });
    expect(await page.session.innerText()).toBe('The token has expired. Log in again.');
  });

  it('logs in beside the walkthrough, says why it could not, and takes other credentials', async () => {
    const page = await pages.open();
    const panel = page.page.getByRole('form', { name: 'Log in here' });
    await panel.getByLabel('Password').fill('wrong');
    await panel.getByRole('button').click();
    await panel.getByText('The login was refused').waitFor();
    await panel.getByLabel('Password').fill(demoAccount.password);
    await panel.getByRole('button').click();
    await panel.getByText('Logged in as ana@demo.example').waitFor();
    expect(await page.execute('get-invoice')).toMatchObject({ status: '200' });
    await panel.getByLabel('Tenant').fill('sur.example');
    await panel.getByLabel('Token').fill('');
    await expect.poll(() => page.session.innerText()).toContain('Not logged in. The tenant sur.example');
    expect(await page.execute('login')).toMatchObject({ status: '401' });
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
    const page = await pages.open('', {}, empty.url);
    expect(await page.session.innerText()).toContain('There are no demo data here');
    expect(await page.execute('login')).toMatchObject({ status: '401' });
    await empty.close();
  });
});
