import fc from 'fast-check';

// A mutant is noticed by the first failure. To look for the smallest counterexample can take hours, which no time-out
// ends.
fc.configureGlobal({ endOnFailure: true });
