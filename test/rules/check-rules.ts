import { globSync } from 'node:fs';
import type { Reporter, Vitest } from 'vitest/node';
import { exceptions } from '../dynamodb-local/exceptions.ts';
import { rules } from './rules.ts';

let vitest: Vitest;

/**
 * Fails `npm test` if a rule of the interface has no test, or if an exception of DynamoDB Local names no test. A run of
 * only some files or titles is not checked.
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
    const provenRules = new Set<string>();
    for (const test of tests) {
      // `npm run test:long` runs the long tests, which are skipped here.
      if (test.options.mode === 'skip' && !test.tags.includes('long')) continue;
      for (const id of test.meta().rules ?? []) provenRules.add(id);
    }
    const exceptionTitles = exceptions.flatMap(({ titles }) => titles);
    const errors = [
      ...rules.filter(([id]) => !provenRules.has(id)).map(([id]) => `No test proves the rule ${id}.`),
      ...exceptionTitles
        .filter((beginning) => !tests.some(({ fullName }) => fullName.startsWith(beginning)))
        .map((beginning) => `No test has the title of this exception of DynamoDB Local: ${beginning}`),
    ];
    for (const error of errors) console.error(error);
    if (errors.length > 0) process.exitCode = 1;
  },
};
