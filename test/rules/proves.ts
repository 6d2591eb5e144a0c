import { TestRunner } from 'vitest';
import type { RuleId } from './rules.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The rules of the interface that a test proves. */
    rules?: readonly RuleId[];
  }
}

/** Notes that the running test proves rules of the interface. */
export function proves(...rules: readonly RuleId[]): void {
  const test = TestRunner.getCurrentTest();
  if (!test) throw new Error('Call proves in a test.');
  test.meta.rules = [...(test.meta.rules ?? []), ...rules];
}
