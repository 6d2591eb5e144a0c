import { fileURLToPath } from 'node:url';
import { readOptions } from '../../infra/command-line.ts';
import { printError } from '../../infra/terminal.ts';
import { listCases } from '../rules/list-cases.ts';
import { families } from './families.ts';
import { belongsTo, type Family } from './mutant.ts';
import { openWorkshop } from './workshop.ts';

const usage = `Usage: npm run test:mutants -- [--only NAME]

Breaks the code in some 250 ways, one after the other, in a copy of the repository; ends with 1 when the tests of a rule
do not notice one. It takes 20 to 50 minutes.

  --only NAME  tries one mutant, or one family: ${Object.keys(families).join(', ')}

More: test/README.md`;

const { only } = readOptions(usage, { only: { type: 'string' } });

const root = fileURLToPath(new URL('../..', import.meta.url));
// What reads the template or starts the bundles would not see a mutant: neither is made anew for it.
const cases = (await listCases()).filter(({ file }) => !/^test\/(infra|e2e)\//.test(file));

// All of them, unless one mutant or one family is named.
const chosen = Object.entries(families)
  .map(([name, family]) => {
    const mutants = name === only ? family.mutants : family.mutants.filter(([each]) => (only ?? each) === each);
    return { name, family, mutants };
  })
  .filter(({ mutants }) => mutants.length > 0);
if (chosen.length === 0) {
  printError(`No mutant and no family is called ${only}. --help lists the families.`);
  process.exit(2);
}

/** The tests of some families: their files, and a pattern that finds them by their titles. */
function testsOf(those: readonly Family[]): [files: string[], pattern: string] {
  const own = cases.filter(({ rules }) => rules.some((rule) => those.some((family) => belongsTo(family, rule))));
  const ids = those.flatMap(({ rules }) => rules.map((id) => (id.endsWith('/') ? `${id}[^\\]]+` : id)));
  return [[...new Set(own.map(({ file }) => file))], `\\[(${ids.join('|')})\\]`];
}

const workshop = await openWorkshop(root);
process.on('exit', () => workshop.close());
process.once('SIGINT', () => process.exit(130));

const alreadyFailing = await workshop.failedRules(...testsOf(chosen.map(({ family }) => family)));
if (alreadyFailing.length > 0) throw new Error(`Tests fail without any mutant: ${alreadyFailing.join(' ')}`);

let tested = 0;
const survivors: string[] = [];
for (const { name: familyName, family, mutants } of chosen) {
  for (const mutant of mutants) {
    const name = `${familyName}: ${mutant[0]}`;
    const noticedBy = await workshop.failedRulesOf(mutant, ...testsOf([family]));
    tested++;
    if (noticedBy.length === 0) survivors.push(name);
    console.log(`${name}\n    ${noticedBy.join(' ') || 'NOT NOTICED'}`);
  }
}
console.log(`\n${tested - survivors.length} of ${tested} mutants were noticed by the tests of their rules.`);
for (const survivor of survivors) console.log(`Not noticed: ${survivor}`);
if (survivors.length > 0) process.exitCode = 1;
