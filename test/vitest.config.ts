import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { checkRules } from './rules/check-rules.ts';
import { isolateEnvironment } from './support/setup/own-environment.ts';

isolateEnvironment();

const pure = 'test/{unit,property}/**/*.test.ts';
const infra = 'test/infra/**/*.test.ts';
const endToEnd = 'test/e2e/**/*.test.ts';
const freshEnvironment = 'test/support/setup/fresh-environment.ts';
const globalSetup = ['test/support/stack/synthesize-once.ts'];

/** The tag of tests with many repetitions, large files or real waiting. */
export const longTag = { name: 'long', description: 'repetitions, large files or waiting: npm run test:long' };

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    // These end tests that hang. A busy machine takes many times as long as an idle one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 3,
    reporters: ['default', checkRules],
    tags: [longTag],
    // `npm run vitest -- --coverage` measures the code that the tests run in their own process. It is a report, not a gate.
    coverage: {
      include: ['functions/**/*.ts', 'lib/**/*.ts'],
      exclude: ['**/*.d.ts'],
      reportsDirectory: 'cdk.out/coverage',
      reporter: ['text', 'html'],
    },
    // npm test and npm run test:long exclude the project `suites`, and npm run suite runs one of its folders.
    projects: [
      // The files of a worker share its modules. A portal loads modules with state again.
      { extends: true, test: { name: 'pure', include: [pure], isolate: false } },
      { extends: true, test: { name: 'infra', include: [infra], isolate: false, globalSetup } },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: [pure, infra, endToEnd],
          isolate: false,
          globalSetup,
          setupFiles: [freshEnvironment],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: [endToEnd],
          isolate: false,
          globalSetup,
          setupFiles: [freshEnvironment, 'test/support/answers/check-contract.ts'],
        },
      },
      {
        extends: true,
        // On a busy machine, one check of a page can take a second, which is the default time limit of a poll.
        test: { name: 'suites', include: ['test/*/*.suite.ts'], globalSetup, expect: { poll: { timeout: 10_000 } } },
      },
    ],
  },
});
