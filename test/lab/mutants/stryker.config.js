import { synthesize } from '../../../infra/local/synthesize.ts';

// The tests read the synthesized template, which is the same for all mutants.
await synthesize({ quiet: true });

const outFolder = 'cdk.out/mutants';

/** The options of Stryker: https://stryker-mutator.io/docs/stryker-js/configuration. Paths begin at the root. */
export default {
  mutate: ['lib/{domain,access,http,endpoints,invoices,legacy}/**/*.ts', 'lib/contracts/to-response.ts'],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', import.meta.filename],
  ignorers: ['module-level'],
  vitest: { configFile: 'test/lab/mutants/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  // A file that does not exist. Stryker would rewrite tsconfig.json with functions that TypeScript 7 does not have.
  tsconfigFile: 'none',
  // The tests read the template and run a bundle; the rest is large.
  ignorePatterns: ['cdk.out/*', '!cdk.out/package.json', '!cdk.out/local'],
  cleanTempDir: 'always',
  tempDirName: `${outFolder}/work`,
  incremental: true,
  incrementalFile: `${outFolder}/incremental.json`,
  reporters: ['progress-append-only', 'clear-text', 'html'],
  clearTextReporter: { reportTests: false },
  htmlReporter: { fileName: `${outFolder}/report.html` },
  // The run fails if the tests detect a smaller percentage of the mutants.
  thresholds: { high: 95, low: 90, break: 90 },
  concurrency: 2,
  // A busy machine takes many times as long as an idle one.
  timeoutMS: 30_000,
  dryRunTimeoutMinutes: 60,
};

/**
 * A plugin of Stryker that ignores code that runs once, when a module is loaded. Stryker itself ignores such code only if
 * no test loads the module while it runs. Otherwise, it would run the tests that load it, but not those that use it.
 */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'module-level',
    value: {
      shouldIgnore: (path) =>
        path.isFunction() || path.getFunctionParent() !== null || containsFunction(path)
          ? undefined
          : 'This code runs once, when the module is loaded.',
    },
  },
];

/** True if a part of the syntax tree (a NodePath of Babel) contains a function. */
function containsFunction(path) {
  let isFound = false;
  path.traverse({
    Function(inner) {
      isFound = true;
      inner.stop();
    },
  });
  return isFound;
}
