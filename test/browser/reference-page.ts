import type { Browser, BrowserContextOptions, Locator, Page, Response } from 'playwright-core';

/** The program that the tests drive: CHROMIUM_BIN, or where Debian's package `chromium` puts it. */
export const chromiumProgram = process.env['CHROMIUM_BIN'] ?? '/usr/bin/chromium';

/** The reference page in a browser, with what its users do on it. */
export class ReferencePage {
  readonly page: Page;
  /** Errors in the console, exceptions, and requests to other origins. */
  readonly complaints: string[] = [];

  private constructor(page: Page, origin: string) {
    this.page = page;
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      // The browser's own note on an answer such as 400, which a test asked for.
      if (/^Failed to load resource: .* status of 4\d\d/.test(message.text())) return;
      if (['error', 'warning'].includes(message.type())) this.complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(origin)) this.complaints.push(request.url());
    });
  }

  /** Opens the page of a service or of a folder; `address` is what follows `/docs/`. */
  static async open(browser: Browser, origin: string, address = '', options: BrowserContextOptions = {}) {
    const opened = new ReferencePage(await browser.newPage({ reducedMotion: 'reduce', ...options }), origin);
    opened.page.setDefaultTimeout(10_000);
    await opened.page.goto(`${origin}${origin.startsWith('file:') ? '/' : '/docs/'}${address}`);
    return opened;
  }

  get session(): Locator {
    return this.page.getByRole('status');
  }

  /** The section of an operation. */
  operation(operationId: string): Locator {
    return this.page.locator(`section[id="${operationId}"]`);
  }

  /** Goes to an operation by its link in the contents. */
  async choose(operationId: string): Promise<Locator> {
    const link = this.page.locator(`nav a[href="#${operationId}"]`);
    // Folded on a phone.
    if (!(await link.isVisible())) await this.page.locator('#contents > summary').click();
    await link.click();
    return this.operation(operationId);
  }

  /** Opens all operations at once, as only a test does. */
  async openAll(): Promise<void> {
    const folds = this.page.locator('details.fold');
    await folds.evaluateAll((all) => all.forEach((one) => Object.assign(one, { name: '', open: true })));
  }

  /** Executes an operation, with another body if one is given; gives the shown status and body of the answer. */
  async execute(operationId: string, body?: unknown): Promise<{ status: string; body: unknown }> {
    const operation = await this.choose(operationId);
    if (body !== undefined) await operation.locator('textarea').fill(JSON.stringify(body, null, 2));
    const answered = (response: Response) => response.url().includes('/apidev/');
    const button = operation.locator('form.try [type=submit]');
    await Promise.all([this.page.waitForResponse(answered), button.click()]);
    const answer = operation.locator('form.try .answer');
    const text = await answer.locator('.response-body').innerText();
    return { status: await answer.locator('.status').innerText(), body: JSON.parse(text) };
  }

  /** Searches, and gives the part of the address that names what was found. */
  async find(query: string): Promise<string> {
    await this.page.getByRole('search').getByRole('combobox').fill(query);
    await this.page.getByRole('search').getByRole('button').click();
    return decodeURIComponent(new URL(this.page.url()).hash.slice(1));
  }

  /** The ids of all operations, in the order of the page. */
  operationIds(): Promise<string[]> {
    return this.page.locator('.tag > .operation').evaluateAll((sections) => sections.map(({ id }) => id));
  }
}
