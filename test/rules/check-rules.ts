import { globSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, Vitest } from 'vitest/node';
import { exceptions } from '../dynamodb-local/exceptions.ts';
import { rules, rulesIn } from './rules.ts';

let vitest: Vitest;

/**
 * Fails `npm test` if a rule of the interface has no test, if a title names an unknown rule, or if an exception of
 * DynamoDB Local names no test. A run of only some files or titles is not checked.
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
    const namedRules = tests
      // `npm run test:long` runs the long tests, which are skipped here.
      .filter(({ options, tags }) => options.mode !== 'skip' || tags.includes('long'))
      .flatMap(({ fullName, module }) =>
        rulesIn(fullName).map((id) => ({ id, place: `${relative(root, module.moduleId)}: ${fullName}` })),
      );
    const ids = new Set(rules.map(([id]) => id));
    const provenIds = new Set(namedRules.map(({ id }) => id));
    const exceptionTitles = exceptions.flatMap(({ titles }) => titles);
    const errors = [
      ...[...ids].filter((id) => !provenIds.has(id)).map((id) => `No test names the rule ${id}.`),
      ...namedRules
        .filter(({ id }) => !ids.has(id))
        .map(({ id, place }) => `There is no rule ${id}, which is named by ${place}.`),
      ...exceptionTitles
        .filter((beginning) => !tests.some(({ fullName }) => fullName.startsWith(beginning)))
        .map((beginning) => `No test has the title of this exception of DynamoDB Local: ${beginning}`),
    ];
    for (const error of errors) console.error(error);
    if (errors.length > 0) process.exitCode = 1;
  },
};
