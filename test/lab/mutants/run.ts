import { existsSync, globSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../../../infra/process/read-options.ts';
import { synthesize } from '../../../infra/local/synthesize.ts';
import { printTable } from '../bench/report.ts';
import { loadStryker } from './stryker.ts';

/** What is tried, and the share of its mutants, in percent, of which the tests must notice at least so many. */
const WANTED: Readonly<Record<string, number>> = {
  'lib/domain': 95,
  'lib/access': 95,
  'lib/http': 95,
  'lib/contracts/to-response.ts': 95,
  'lib/endpoints': 90,
  'lib/invoices': 90,
  'lib/legacy': 90,
};
/** The suites of test/lab/mutants/vitest.config.ts for the places that the suite "service" does not test. */
const SUITES = { 'infra/ops': 'commands', 'infra/constructs': 'template' } as const;

const outFolder = 'cdk.out/mutants';

/** How Stryker breaks these files, and which tests it runs. */
const strykerOptions = (suite: string, files: readonly string[]) => ({
  mutate: [...files],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', new URL('stryker.ts', import.meta.url).href],
  ignorers: suite === 'template' ? [] : ['module-level'],
  // Tests of commands change the working directory, which a thread cannot.
  vitest: {
    configFile: 'test/lab/mutants/vitest.config.ts',
    related: false,
    pool: suite === 'commands' ? ('forks' as const) : ('threads' as const),
  },
  coverageAnalysis: 'perTest' as const,
  // What runs only while a module is loaded needs every test, each time in a new process. The suite "template" is small
  // enough for that: its tests synthesize the stack while they are loaded.
  ignoreStatic: suite !== 'template',
  // A file that does not exist: Stryker rewrites the one of TypeScript by an interface that TypeScript 7 does not have.
  tsconfigFile: 'none',
  // The tests read the template and run a bundle; the rest is large.
  ignorePatterns: ['cdk.out/*', '!cdk.out/*.template.json', '!cdk.out/package.json', '!cdk.out/bundles'],
  cleanTempDir: 'always' as const,
  tempDirName: `${outFolder}/work`,
  incremental: true,
  incrementalFile: `${outFolder}/incremental-${suite}.json`,
  reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only', 'html', 'json'],
  htmlReporter: { fileName: `${outFolder}/report-${suite}.html` },
  jsonReporter: { fileName: `${outFolder}/report-${suite}.json` },
  concurrency: 2,
  // A busy machine takes many times as long as an idle one.
  timeoutMS: 30_000,
  dryRunTimeoutMinutes: 60,
});

const usage = `Usage: npm run test:extra -- mutants [FOLDER|FILE…]

Breaks the code, one expression after the other, and runs the tests that reach it; ends with 1 when too few notice it.
What has not changed since the last run, nor its tests, is not tried again. The first run installs Stryker, which is no
package of the project, in ${outFolder}.

  FOLDER|FILE…  what is broken, such as lib/domain or lib/tables/keys.ts. Without any it takes all of these:
                ${Object.keys(WANTED).join(' ')}
                These take hours and are tried only if you name them, or a part of them:
                ${Object.keys(SUITES).join(' ')}

Exit codes: 0 enough noticed, 1 too few, 77 skipped (no Stryker). More: test/README.md`;

const root = fileURLToPath(new URL('../../..', import.meta.url));
process.chdir(root);
const places = readOptions(
  usage,
  {},
  (_, words) => {
    const unknown = words.find((word) => !existsSync(word));
    if (unknown !== undefined) throw new Error(`There is no ${unknown} in this folder.`);
    return words.length > 0 ? words.map((word) => relative(root, word)) : Object.keys(WANTED);
  },
  { takesWords: true },
);
const filesOf = (place: string) => (place.endsWith('.ts') ? [place] : globSync(`${place}/**/*.ts`));

const suiteOf = (place: string) =>
  Object.entries(SUITES).find(([folder]) => place.startsWith(folder))?.[1] ?? 'service';

const wantedOf = (place: string) => Object.entries(WANTED).find(([folder]) => place.startsWith(folder))?.[1];

const rows: (readonly string[])[] = [];
const survivors: string[] = [];
/** Adds a row to the table: how many of the mutants of a place the tests have noticed. */
function tell(place: string, all: number, survived: readonly string[]): void {
  const wanted = wantedOf(place);
  const score = all === 0 ? 100 : (100 * (all - survived.length)) / all;
  rows.push([place, String(all), String(survived.length), `${score.toFixed(1)} %`, wanted ? `${wanted} %` : '']);
  survivors.push(...survived);
  if (wanted && score < wanted) process.exitCode = 1;
}

await synthesize({ quiet: true });
for (const [suite, own] of Map.groupBy(places, suiteOf)) {
  const files = own.flatMap(filesOf);
  console.log(`${files.length} files are broken.`);
  process.env['MUTANT_SUITE'] = suite;
  const Stryker = await loadStryker(`${outFolder}/packages`);
  const results = await new Stryker(strykerOptions(suite, files)).runMutationTest();
  // With a runtime error no test could begin: Stryker counts such a mutant neither as noticed nor as left.
  const tried = results.filter(({ status }) => !['Ignored', 'RuntimeError'].includes(status));
  for (const place of own) {
    const mutants = tried.filter(({ fileName }) => filesOf(place).includes(relative(root, fileName)));
    const survived = mutants.filter(({ status }) => status !== 'Killed' && status !== 'Timeout');
    tell(
      place,
      mutants.length,
      survived.map(({ fileName, location, mutatorName, replacement, status }) => {
        const at = `${relative(root, fileName)}:${location.start.line}:${location.start.column}`;
        return `${at} ${status} ${mutatorName}: ${replacement.replaceAll(/\s+/g, ' ')}`;
      }),
    );
  }
}
console.log();
printTable(['Mutants of', 'all', 'not noticed', 'score', 'wanted'], rows);
for (const survivor of survivors) console.log(survivor);
