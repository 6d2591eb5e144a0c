import { type Browser, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import { startLocalService } from '../support/service/local-service.ts';
import { chromiumProgram, ReferencePage } from './reference-page.ts';

const args = [
  // Not every browser asks before a page may call this machine.
  '--disable-features=LocalNetworkAccessChecks',
  // Chromium's sandbox does not work for root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** The reference pages that the tests of a file open: in one browser, of one service with demo data. */
export class ReferencePages {
  browser!: Browser;
  service!: LocalService;
  #opened: ReferencePage[] = [];

  /** Registers itself with the file: after each test the pages are closed, and none may have complained. */
  constructor() {
    beforeAll(async () => {
      this.browser = await chromium.launch({ executablePath: chromiumProgram, args });
      this.service = await startLocalService({ demo: true });
    });
    afterEach(async () => {
      const complaints = this.#opened.flatMap((page) => page.complaints);
      await Promise.all(this.#opened.map(({ page }) => page.close()));
      this.#opened = [];
      expect(complaints).toEqual([]);
    });
    afterAll(async () => {
      await this.service.close();
      await this.browser.close();
    });
  }

  /** Opens the page of the service, or of another origin or folder; `address` is what follows `/docs/`. */
  async open(address?: string, options?: object, origin = this.service.url): Promise<ReferencePage> {
    const page = await ReferencePage.open(this.browser, origin, address, options);
    this.#opened.push(page);
    return page;
  }
}
