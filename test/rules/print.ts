import { fileURLToPath } from 'node:url';
import { createVitest } from 'vitest/node';
import { readOptions } from '../../infra/process/read-options.ts';
import { outOfScope } from './out-of-scope.ts';
import { rules } from './rules.ts';

readOptions(`Usage: npm run test:extra -- rules

Prints every rule of the interface with the tests that prove it, and what is out of scope. More: test/README.md`);

const root = fileURLToPath(new URL('../..', import.meta.url));
const titles = await listTitles();
for (const [id, rule] of rules) {
  console.log(`${id}  ${rule}`);
  for (const title of titles.get(id) ?? []) console.log(`    ${title}`);
}
console.log('\nOut of scope');
for (const [id, reason] of Object.entries(outOfScope)) console.log(`${id}  ${reason}`);

/** Returns the file and title of the tests that prove each rule, by the id of the rule. Skipped tests are omitted. */
async function listTitles(): Promise<ReadonlyMap<string, readonly string[]>> {
  const vitest = await createVitest('test', { root, config: 'test/vitest.config.ts', watch: false, reporters: [] });
  // Only the execution of the files finds the options of tests.
  const { testModules } = await vitest.collect([], { staticParse: false });
  await vitest.close();
  const titlesByRule = new Map<string, string[]>();
  for (const test of testModules.flatMap(({ children }) => [...children.allTests()])) {
    if (test.options.mode === 'skip') continue;
    const title = `${test.module.relativeModuleId}: ${test.fullName}`;
    for (const id of test.meta().rules ?? []) titlesByRule.set(id, [...(titlesByRule.get(id) ?? []), title]);
  }
  return titlesByRule;
}
