import { existsSync, globSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../../../infra/process/read-options.ts';
import { synthesize } from '../../../infra/local/synthesize.ts';
import { printTable } from '../bench/report.ts';
import { loadStryker } from './stryker.ts';

/** The required score of each folder or file: the percentage of its mutants that the tests must detect. */
const WANTED: Readonly<Record<string, number>> = {
  'lib/domain': 95,
  'lib/access': 95,
  'lib/http': 95,
  'lib/contracts/to-response.ts': 95,
  'lib/endpoints': 90,
  'lib/invoices': 90,
  'lib/legacy': 90,
};
/** The suites of test/lab/mutants/vitest.config.ts for the folders that the suite "service" does not test. */
const SUITES = { 'infra/ops': 'commands', 'infra/constructs': 'template' } as const;

const outFolder = 'cdk.out/mutants';

/** Builds the options with which Stryker changes these files and runs a suite. */
const buildOptions = (suite: string, files: readonly string[]) => ({
  mutate: [...files],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', new URL('stryker.ts', import.meta.url).href],
  ignorers: suite === 'template' ? [] : ['module-level'],
  // Tests of commands change the working directory, which is not possible in a thread.
  vitest: {
    configFile: 'test/lab/mutants/vitest.config.ts',
    related: false,
    pool: suite === 'commands' ? ('forks' as const) : ('threads' as const),
  },
  coverageAnalysis: 'perTest' as const,
  // Code that runs only while a module is loaded needs every test, each time in a new process. The suite "template" is
  // small enough for that: its tests synthesize the stack while they are loaded.
  ignoreStatic: suite !== 'template',
  // A file that does not exist. Stryker would rewrite tsconfig.json with functions that TypeScript 7 does not have.
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

const usage = `Usage: npm run suite -- mutants [FOLDER|FILE…]

Changes the code, one expression after the other, and runs the tests that reach it. Ends with 1 if they detect too few
changes. Code that has not changed since the last run, nor its tests, is not tested again. The first run installs
Stryker, which is not a package of the project, in ${outFolder}.

  FOLDER|FILE…  the code to change, such as lib/domain or lib/tables/keys.ts. The default is all of these:
                ${Object.keys(WANTED).join(' ')}
                These take hours and are tested only if you name them or a part of them:
                ${Object.keys(SUITES).join(' ')}

Exit codes: 0 enough detected, 1 too few, 77 skipped (no Stryker). More: test/README.md`;

const root = fileURLToPath(new URL('../../..', import.meta.url));
process.chdir(root);
const allPlaces = readOptions(
  usage,
  {},
  (_, words) => {
    const unknown = words.find((word) => !existsSync(word));
    if (unknown !== undefined) throw new Error(`There is no ${unknown} in this folder.`);
    return words.length > 0 ? words.map((word) => relative(root, word)) : Object.keys(WANTED);
  },
  { takesWords: true },
);
// Texts of documents, and headings of files: tests of documents and commands prove them, which this suite omits.
const TEXTS = ['lib/domain/invoice-field-texts.ts'];
const listFiles = (place: string) =>
  (place.endsWith('.ts') ? [place] : globSync(`${place}/**/*.ts`)).filter((file) => !TEXTS.includes(file));

const findSuite = (place: string) =>
  Object.entries(SUITES).find(([folder]) => place.startsWith(folder))?.[1] ?? 'service';

const findRequiredScore = (place: string) => Object.entries(WANTED).find(([folder]) => place.startsWith(folder))?.[1];

const rows: (readonly string[])[] = [];
const survivors: string[] = [];
/** Adds a row to the table with the score of a folder or file. Sets the exit code if the score is too low. */
function addRow(place: string, all: number, survived: readonly string[]): void {
  const required = findRequiredScore(place);
  const score = all === 0 ? 100 : (100 * (all - survived.length)) / all;
  rows.push([place, String(all), String(survived.length), `${score.toFixed(1)} %`, required ? `${required} %` : '']);
  survivors.push(...survived);
  if (required && score < required) process.exitCode = 1;
}

await synthesize({ quiet: true });
for (const [suite, places] of Map.groupBy(allPlaces, findSuite)) {
  const files = places.flatMap(listFiles);
  console.log(`Changing ${files.length} files.`);
  process.env['MUTANT_SUITE'] = suite;
  const Stryker = await loadStryker(`${outFolder}/packages`);
  const results = await new Stryker(buildOptions(suite, files)).runMutationTest();
  // After a runtime error, no test could start. Stryker counts such a mutant neither as detected nor as survived.
  const tested = results.filter(({ status }) => !['Ignored', 'RuntimeError'].includes(status));
  for (const place of places) {
    const mutants = tested.filter(({ fileName }) => listFiles(place).includes(relative(root, fileName)));
    const survived = mutants.filter(({ status }) => status !== 'Killed' && status !== 'Timeout');
    addRow(
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
printTable(['Mutants of', 'all', 'not detected', 'score', 'required'], rows);
for (const survivor of survivors) console.log(survivor);
