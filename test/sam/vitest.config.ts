import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/sam/*.suite.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
