import { type Browser, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import { startLocalService } from '../support/service/local-service.ts';
import { chromiumProgram } from './chromium.ts';
import { ReferencePage } from './reference-page.ts';

/** The reference pages that the tests of a file open: in one browser, of one service with demo data. */
export class ReferencePages {
  #browser: Browser | undefined;
  #service: LocalService | undefined;
  #opened: ReferencePage[] = [];

  /** Registers itself with the file: after each test the pages are closed, and none may have complained. */
  constructor() {
    beforeAll(async () => {
      // Chromium's sandbox does not work for root.
      const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
      this.#browser = await chromium.launch({ executablePath: chromiumProgram, args });
      this.#service = await startLocalService({ demo: true });
    });
    afterEach(async () => {
      const complaints = this.#opened.flatMap((page) => page.complaints);
      await Promise.all(this.#opened.map(({ page }) => page.close()));
      this.#opened = [];
      expect(complaints).toEqual([]);
    });
    afterAll(async () => {
      await this.#service?.close();
      await this.#browser?.close();
    });
  }

  /** The address of the service. */
  get url(): string {
    return this.#service!.url;
  }

  /** Opens the page of the service, or of another origin or folder; `address` is what follows `/docs/`. */
  async open(address?: string, options?: object, origin = this.url): Promise<ReferencePage> {
    const page = await ReferencePage.open(this.#browser!, origin, address, options);
    this.#opened.push(page);
    return page;
  }
}
