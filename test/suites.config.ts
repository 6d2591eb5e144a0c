import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The name of the suite, which test/suite.ts passes. */
const suite = process.env['SUITE'] ?? '*';

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: [`test/${suite}/*.suite.ts`],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // On a busy machine, one check of a page can take a second, which is the default time limit of a poll.
    expect: { poll: { timeout: 10_000 } },
  },
});
