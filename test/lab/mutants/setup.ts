import fc from 'fast-check';
import { afterEach, inject } from 'vitest';

// A mutant is noticed by the first failure. To look for the smallest counterexample can take hours, which no time-out
// ends.
fc.configureGlobal({ endOnFailure: true });

/** The mutant that a test of this worker has noticed. */
const noticed = globalThis as { noticedMutant?: string };
const mutant = (inject as (key: string) => string | undefined)('activeMutant');

// Vitest would load each further file and skip its tests, which takes seconds.
if (mutant !== undefined && noticed.noticedMutant === mutant) throw new Error('A test has noticed the mutant already.');

afterEach(({ task }) => {
  if (task.result?.state === 'fail' && mutant !== undefined) noticed.noticedMutant = mutant;
});
