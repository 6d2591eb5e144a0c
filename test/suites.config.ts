import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Of the suites that run on their own; test/extra.ts passes the name of the suite. */
const suite = process.env['SUITE'] ?? '*';

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: [`test/${suite}/*.suite.ts`],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // On a busy machine one look at a page may take a second, which is all that a poll has by default.
    expect: { poll: { timeout: 10_000 } },
  },
});
