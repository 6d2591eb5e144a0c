import { listCases } from './list-cases.ts';
import { outOfScope } from './out-of-scope.ts';
import { rules } from './rules.ts';

const cases = await listCases();
for (const [id, rule] of rules) {
  console.log(`${id}  ${rule}`);
  for (const { file, title } of cases.filter((each) => each.rules.includes(id))) console.log(`    ${file}: ${title}`);
}
console.log('\nOut of scope');
for (const [id, reason] of Object.entries(outOfScope)) console.log(`${id}  ${reason}`);
