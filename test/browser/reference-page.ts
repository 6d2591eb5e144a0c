import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { buildOpenApiDocument } from '../../infra/openapi/document.ts';
import type { Language } from '../../lib/domain/language.ts';

const sendButton = { name: /^(Send|Enviar)/ };

/** The reference page in a browser, with the actions of its users. */
export class ReferencePage {
  readonly page: Page;
  /** Errors in the console, exceptions, and requests to other origins. */
  readonly problems: string[] = [];

  private constructor(page: Page, origin: string) {
    this.page = page;
    page.on('pageerror', (error) => this.problems.push(String(error)));
    page.on('console', (message) => {
      // The browser reports each response with a status such as 401, which some tests expect.
      if (/^Failed to load resource: .* status of 4\d\d/.test(message.text())) return;
      if (['error', 'warning'].includes(message.type())) this.problems.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(origin)) this.problems.push(request.url());
    });
  }

  /** Opens a page of a service. `address` is the part after `/docs/`. */
  static async open(browser: Browser, origin: string, address = '', options: BrowserContextOptions = {}) {
    const context = { locale: 'en-US', reducedMotion: 'reduce', ...options } as const;
    const opened = new ReferencePage(await browser.newPage(context), origin);
    opened.page.setDefaultTimeout(10_000);
    await opened.page.goto(`${origin}/docs/${address}`);
    return opened;
  }

  /** Waits until the reference is shown, and returns its title. */
  title(): Promise<string> {
    return this.page.getByRole('heading', { level: 1 }).innerText();
  }

  /** Scrolls to an operation by its address. */
  async showOperation(operationId: string): Promise<Locator> {
    const language = await this.page.locator('html').getAttribute('lang');
    const { tag, method, path } = findOperation(operationId, language as Language);
    await this.title();
    await this.page.evaluate(`location.hash = 'tag/${tag}/${method}${path}'`);
    return this.page.getByRole('button', { name: `(${method.toLowerCase()} ${path})`, exact: false }).first();
  }

  /** Opens the form of an operation. */
  async openForm(operationId: string): Promise<Locator> {
    const button = await this.showOperation(operationId);
    await button.click();
    const form = this.page.getByRole('dialog');
    await form.getByRole('button', sendButton).first().waitFor();
    return form;
  }

  /** Opens the search, and returns the results for a text: their kinds and titles, such as `Heading: Errors`. */
  async search(text: string): Promise<string[]> {
    const dialog = this.page.getByRole('dialog');
    const box = dialog.getByRole('combobox');
    if (!(await box.isVisible())) await this.page.keyboard.press('Control+k');
    await box.fill(text);
    // The results follow the text after a pause.
    await this.page.waitForTimeout(300);
    return (await dialog.getByRole('option').allInnerTexts()).map((result) => result.replaceAll(/\s+/g, ' '));
  }

  /** Lists the defects that axe finds, by default those that violate WCAG 2.2 AA. */
  async listDefects(tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']): Promise<string[]> {
    await this.page.evaluate(axe.source);
    const options = JSON.stringify({ runOnly: tags, resultTypes: ['violations'] });
    const { violations } = await this.page.evaluate<axe.AxeResults>(`axe.run(document, ${options})`);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }

  /** Lists the texts and the labels of the page outside of descriptions and code. */
  listTexts(): Promise<string[]> {
    return this.page.evaluate(`[...document.body.querySelectorAll('*')]
      .filter((element) => !element.closest('script, style, pre, code, .markdown'))
      .flatMap((element) => [
        ...[...element.childNodes].map(({ nodeType, data }) => (nodeType === 3 ? data.trim() : '')),
        ...['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
      ])`);
  }

  /** Sends the request of an operation as its form contains it, and returns the headers and the response. */
  async send(operationId: string) {
    const form = await this.openForm(operationId);
    const [response] = await Promise.all([
      this.page.waitForResponse((one) => one.url().includes('/apidev/')),
      form.getByRole('button', sendButton).first().click(),
    ]);
    const sent = await response.request().allHeaders();
    const body: unknown = await response.json();
    // Scalar cancels a request whose form is closed before it shows the response.
    await form.getByText(`${response.status()} ${response.statusText()}`).first().waitFor();
    await this.page.keyboard.press('Escape');
    await form.waitFor({ state: 'hidden' });
    return { url: response.url(), status: response.status(), sent, body };
  }
}

function findOperation(operationId: string, language: Language) {
  for (const [path, methods] of Object.entries(buildOpenApiDocument(language).paths))
    for (const [method, operation] of Object.entries(methods))
      if (operation.operationId === operationId)
        return { path, method: method.toUpperCase(), tag: operation.tags[0]!.toLowerCase().replaceAll(' ', '-') };
  throw new Error(`The document has no operation ${operationId}.`);
}
