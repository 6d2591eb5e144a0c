import { describe, expect, it } from 'vitest';
import { ReferencePages } from './reference-pages.ts';

const pages = new ReferencePages();

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

  it('shows an error with its details', async () => {
    const page = await pages.open();
    await page.execute('login');
    const answer = await page.execute('validate-amount', { invoice_id: '9001', amount: -1 });
    const details = [{ property: 'amount', constraints: { minimum: expect.any(String) } }];
    expect(answer).toMatchObject({ status: '400', body: { error: { code: 'VALIDATION_ERROR', details } } });
  });

  it('names the request and gives the same call with curl', async () => {
    const page = await pages.open();
    await page.execute('login');
    const answer = page.operation('login').locator('.answer');
    expect(await answer.locator('.header').innerText()).toMatch(/^X-Request-Id: [\da-f-]{36}$/);
    await answer.getByText('The same call with curl').click();
    const command = await answer.locator('details', { hasText: 'The same call' }).locator('pre').innerText();
    expect(command).toContain(`curl -sS ${pages.url}/apidev/v1/login`);
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
    const page = await pages.open();
    const operation = await page.choose('validate-amount');
    const before = await operation.locator('textarea').inputValue();
    await operation.locator('textarea').fill('{}');
    await operation.getByRole('button', { name: 'Reset' }).click();
    expect(await operation.locator('textarea').inputValue()).toBe(before);
  });
});

describe('the language of messages', () => {
  it('is the one that is typed into the form', async () => {
    const page = await pages.open();
    const field = (await page.choose('get-invoice')).locator('input[name=Accept-Language]');
    expect(await field.inputValue()).toBe('en');
    await field.fill('es-AR');
    expect(await page.execute('get-invoice')).toMatchObject({
      body: { error: { message: expect.stringMatching(/^El token/) } },
    });
  });
});
