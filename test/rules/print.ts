import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readOptions } from '../../infra/process/read-options.ts';
import { outOfScope } from './out-of-scope.ts';
import { IDS, rules, rulesIn } from './rules.ts';

readOptions(`Usage: npm run test:extra -- rules

Prints every rule of the interface with the tests that prove it, and what is out of scope. More: test/README.md`);

const root = fileURLToPath(new URL('../..', import.meta.url));
// The end of a title in a source file: an id, or a placeholder for the id of a case.
const MARKED = / \[[\w$%/-]+\](?:['"`]| \[)/;

const cases = await listCases();
for (const [id, rule] of rules) {
  console.log(`${id}  ${rule}`);
  for (const { file, title } of cases.filter((each) => each.rules.includes(id))) console.log(`    ${file}: ${title}`);
}
console.log('\nOut of scope');
for (const [id, reason] of Object.entries(outOfScope)) console.log(`${id}  ${reason}`);

/**
 * Lists the tests, and the cases of tables of tests, whose titles end with ids of rules, as in
 * `rejects HTTP [auth/rule-7] [headers/tenant]`. Skipped tests are omitted.
 */
async function listCases() {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((file) => `test/${file}`)
    .filter((file) => file.endsWith('.test.ts') && MARKED.test(readFileSync(join(root, file), 'utf8')));
  // Vitest has to execute the files to list the cases of tables, but does not have to isolate them.
  const command = ['node_modules/vitest/vitest.mjs', 'list', '--config', 'test/vitest.config.ts', '--json'];
  const options = ['--no-static-parse', '--no-isolate', ...files];
  const { stdout } = await promisify(execFile)(process.execPath, [...command, ...options], {
    cwd: root,
    maxBuffer: 2 ** 26,
  });
  const listed = JSON.parse(stdout) as { file: string; name: string }[];
  return listed
    .map(({ file, name }) => ({ file: relative(root, file), title: name.replace(IDS, ''), rules: rulesIn(name) }))
    .filter((testCase) => testCase.rules.length > 0);
}
