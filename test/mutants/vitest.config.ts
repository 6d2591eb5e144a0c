import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * For the copy of the repository in which mutants live: its stack was synthesized before, and is not to be made from a
 * mutant.
 */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/{unit,property,integration,faults}/**/*.test.ts'],
    setupFiles: ['test/mutants/stop-at-first-failure.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
