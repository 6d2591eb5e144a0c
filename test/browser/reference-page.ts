import type { Browser, BrowserContextOptions, Locator, Page, Response } from 'playwright-core';

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
      if (new URL(request.url()).origin !== origin) this.complaints.push(request.url());
    });
  }

  /** Opens the page of a service; `address` is what follows `/docs`. */
  static async open(browser: Browser, url: string, address = '', options: BrowserContextOptions = {}) {
    const opened = new ReferencePage(await browser.newPage({ reducedMotion: 'reduce', ...options }), url);
    opened.page.setDefaultTimeout(10_000);
    await opened.page.goto(`${url}/docs${address}`);
    await opened.session.getByText(/\w/).first().waitFor();
    return opened;
  }

  get session(): Locator {
    return this.page.getByRole('status');
  }

  /** The block of an operation. */
  operation(operationId: string): Locator {
    return this.page.locator('.opblock').filter({ has: this.page.locator(`[id$="/${operationId}"]`) });
  }

  /** Opens an operation by its link in the contents. */
  async choose(operationId: string): Promise<Locator> {
    const link = this.page.locator(`nav a[href$="/${operationId}"]`);
    // Folded on a phone.
    if (!(await link.isVisible())) await this.page.getByText('Contents', { exact: true }).click();
    await link.click();
    const operation = this.operation(operationId);
    await operation.getByRole('button', { name: 'Execute' }).waitFor();
    return operation;
  }

  /** Executes an operation, with another body if one is given; gives the shown status and body of the answer. */
  async execute(operationId: string, body?: unknown): Promise<{ status: string; body: unknown }> {
    const operation = await this.choose(operationId);
    if (body !== undefined) await operation.getByLabel('Request body').fill(JSON.stringify(body, null, 2));
    const answered = (response: Response) => response.url().includes('/apidev/');
    const button = operation.getByRole('button', { name: 'Execute' });
    await Promise.all([this.page.waitForResponse(answered), button.click()]);
    const answer = operation.getByRole('region', { name: 'Answer' });
    const text = await answer.locator('.highlight-code pre').innerText();
    return { status: await answer.locator('.status').innerText(), body: JSON.parse(text) };
  }

  /** The ids of all operations. */
  async operationIds(): Promise<string[]> {
    const ids = await this.page.locator('.operation-title').evaluateAll((titles) => titles.map(({ id }) => id));
    return ids.map((id) => id.replace(/.*\//, ''));
  }

  /** Opens every operation. */
  async openAll(): Promise<void> {
    for (const id of await this.operationIds()) await this.choose(id);
  }
}
