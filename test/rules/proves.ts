import type { RuleId } from './rules.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The rules of the interface that a test proves. */
    readonly rules?: readonly RuleId[];
  }
}

/** Builds the options of a test that proves rules of the interface: `it('…', proves('limits/read'), () => …)`. */
export function proves(...rules: readonly RuleId[]) {
  return { meta: { rules } };
}
