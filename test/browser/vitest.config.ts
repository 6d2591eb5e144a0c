import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/browser/*.suite.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // On a busy machine one look at the page may take a second, which is all that a poll has by default.
    expect: { poll: { timeout: 10_000 } },
  },
});
