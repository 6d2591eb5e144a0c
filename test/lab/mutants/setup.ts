import fc from 'fast-check';
import { afterEach, inject } from 'vitest';

// The first failure detects a mutant. The search for the smallest counterexample can take hours, and no timeout ends it.
fc.configureGlobal({ endOnFailure: true });

/** The mutant that a test of this worker has detected. */
const state = globalThis as { detectedMutant?: string };
const mutant = (inject as (key: string) => string | undefined)('activeMutant');

// Otherwise, vitest would load every further file and skip its tests, which takes seconds.
if (mutant !== undefined && state.detectedMutant === mutant) throw new Error('A test has already detected the mutant.');

afterEach(({ task }) => {
  if (task.result?.state === 'fail' && mutant !== undefined) state.detectedMutant = mutant;
});
