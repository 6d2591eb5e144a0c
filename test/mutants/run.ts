import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { listCases } from '../rules/list-cases.ts';
import { families } from './families.ts';
import { belongsTo, type Family } from './mutant.ts';
import { openWorkshop } from './workshop.ts';

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;

const root = fileURLToPath(new URL('../..', import.meta.url));
// What reads the template or starts the bundles would not see a mutant: neither is made anew for it.
const cases = (await listCases()).filter(({ file }) => !/^test\/(infra|e2e)\//.test(file));

/** The tests of a family: their files, and a pattern that finds them by their titles. */
function testsOf(family: Family): { files: string[]; pattern: string } {
  const own = cases.filter(({ rules }) => rules.some((rule) => belongsTo(family, rule)));
  const ids = family.rules.map((id) => (id.endsWith('/') ? `${id}[^\\]]+` : id));
  return { files: [...new Set(own.map(({ file }) => file))], pattern: `\\[(${ids.join('|')})\\]` };
}

const workshop = await openWorkshop(root);
let tested = 0;
const survivors: string[] = [];
try {
  for (const [familyName, family] of Object.entries(families)) {
    const chosen = family.mutants.filter(([name]) => only === undefined || only === name || only === familyName);
    const { files, pattern } = testsOf(family);
    for (const mutant of chosen) {
      const [name] = mutant;
      const noticed = (await workshop.test(mutant, files, pattern)).filter((rule) => belongsTo(family, rule));
      tested++;
      if (noticed.length === 0) survivors.push(`${familyName}: ${name}`);
      console.log(`${familyName}: ${name}\n    ${noticed.join(' ') || 'NOT NOTICED'}`);
    }
  }
} finally {
  workshop.close();
}
console.log(`\n${tested - survivors.length} of ${tested} mutants were noticed by the tests of their rules.`);
for (const survivor of survivors) console.log(`Not noticed: ${survivor}`);
if (survivors.length > 0 || tested === 0) process.exitCode = 1;
