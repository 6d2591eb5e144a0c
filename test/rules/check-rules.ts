import { globSync, writeFileSync } from 'node:fs';
import type { Reporter, TestCase, Vitest } from 'vitest/node';
import { exceptions } from '../dynamodb-local/exceptions.ts';
import { outOfScope } from './out-of-scope.ts';
import { rules } from './rules.ts';

/** The file that a complete `npm test` writes: every rule with its tests, and what is out of scope. */
const LIST_FILE = 'cdk.out/rules.txt';

let vitest: Vitest;

/**
 * Fails `npm test` if no test proves a rule of the interface, or if an exception of DynamoDB Local names no test. A run
 * of only some files or titles is not checked.
 */
export const checkRules: Reporter = {
  onInit(started) {
    vitest = started;
  },
  onTestRunEnd(modules) {
    const { testNamePattern, tagsFilter, root } = vitest.config;
    const isComplete = modules.length === globSync('test/**/*.test.ts', { cwd: root }).length;
    if (!isComplete || testNamePattern !== undefined || tagsFilter?.join() !== '!long') return;
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const titlesByRule = listTitles(tests);
    const exceptionTitles = exceptions.flatMap(({ titles }) => titles);
    const errors = [
      ...rules.filter(([id]) => !titlesByRule.has(id)).map(([id]) => `No test proves the rule ${id}.`),
      ...exceptionTitles
        .filter((beginning) => !tests.some(({ fullName }) => fullName.startsWith(beginning)))
        .map((beginning) => `No test has the title of this exception of DynamoDB Local: ${beginning}`),
    ];
    for (const error of errors) console.error(error);
    if (errors.length > 0) process.exitCode = 1;
    writeFileSync(LIST_FILE, formatList(titlesByRule));
  },
};

/** Returns the file and the title of each test that proves a rule, by the id of the rule. */
function listTitles(tests: readonly TestCase[]): ReadonlyMap<string, readonly string[]> {
  const titlesByRule = new Map<string, string[]>();
  for (const test of tests) {
    const title = `${test.module.relativeModuleId}: ${test.fullName}`;
    for (const id of test.meta().rules ?? []) titlesByRule.set(id, [...(titlesByRule.get(id) ?? []), title]);
  }
  return titlesByRule;
}

function formatList(titlesByRule: ReadonlyMap<string, readonly string[]>): string {
  const lines: string[] = [];
  for (const [id, rule] of rules) {
    lines.push(`${id}  ${rule}`, ...(titlesByRule.get(id) ?? []).map((title) => `    ${title}`));
  }
  lines.push('', 'Out of scope', ...Object.entries(outOfScope).map(([id, reason]) => `${id}  ${reason}`));
  return `${lines.join('\n')}\n`;
}
