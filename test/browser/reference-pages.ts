import { type Browser, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import { startLocalService } from '../support/service/local-service.ts';
import { ReferencePage } from './reference-page.ts';

const args = [
  // Chromium asks before a page calls this machine, but not every browser does.
  '--disable-features=LocalNetworkAccessChecks',
  // Chromium's sandbox does not work for root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** The reference pages that the tests of a file open, in one browser and on one service with demo data. */
export class ReferencePages {
  browser!: Browser;
  service!: LocalService;
  #opened: ReferencePage[] = [];

  /** Registers hooks in the test file. After each test, they close the pages and expect no problems. */
  constructor() {
    beforeAll(async () => {
      this.browser = await chromium.launch({ executablePath: process.env['CHROMIUM_BIN'] ?? '', args });
      this.service = await startLocalService({ demo: true });
    });
    afterEach(async () => {
      const problems = this.#opened.flatMap((page) => page.problems);
      await Promise.all(this.#opened.map(({ page }) => page.close()));
      this.#opened = [];
      expect(problems).toEqual([]);
    });
    afterAll(async () => {
      await this.service.close();
      await this.browser.close();
    });
  }

  /** Opens a page of the service, or of another origin or folder. `address` is the part after `/docs/`. */
  async open(address?: string, options?: object, origin = this.service.url): Promise<ReferencePage> {
    const page = await ReferencePage.open(this.browser, origin, address, options);
    this.#opened.push(page);
    return page;
  }
}
