const folder = 'cdk.out/mutants';

/** How Stryker breaks these files, and which tests it runs; what it writes is below cdk.out/mutants. */
export const strykerOptions = (files: readonly string[]) => ({
  mutate: [...files],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', new URL('module-level.ts', import.meta.url).href],
  ignorers: ['module-level'],
  vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest' as const,
  // What runs only while a module is loaded would need every test, each time in a new process.
  ignoreStatic: true,
  // A file that does not exist: Stryker rewrites the one of TypeScript by an interface that TypeScript 7 does not have.
  tsconfigFile: 'none',
  // The tests read the template; whatever else is there is large.
  ignorePatterns: ['cdk.out/*', '!cdk.out/*.template.json'],
  cleanTempDir: 'always' as const,
  tempDirName: `${folder}/work`,
  incremental: true,
  incrementalFile: `${folder}/incremental.json`,
  reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only', 'html', 'json'],
  htmlReporter: { fileName: `${folder}/report.html` },
  jsonReporter: { fileName: `${folder}/report.json` },
  concurrency: 2,
  // A busy machine takes many times as long as an idle one.
  timeoutMS: 30_000,
  dryRunTimeoutMinutes: 60,
});
