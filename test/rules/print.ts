import { readOptions } from '../../infra/process/read-options.ts';
import { listCases } from './list-cases.ts';
import { outOfScope } from './out-of-scope.ts';
import { rules } from './rules.ts';

readOptions(`Usage: npm run test:extra -- rules

Prints every rule of the interface with the tests that prove it, and what is out of scope. More: test/README.md`);

const cases = await listCases();
for (const [id, rule] of rules) {
  console.log(`${id}  ${rule}`);
  for (const { file, title } of cases.filter((each) => each.rules.includes(id))) console.log(`    ${file}: ${title}`);
}
console.log('\nOut of scope');
for (const [id, reason] of Object.entries(outOfScope)) console.log(`${id}  ${reason}`);
