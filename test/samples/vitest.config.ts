import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/samples/*.suite.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
