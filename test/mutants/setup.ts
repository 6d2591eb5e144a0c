import fc from 'fast-check';

// A mutant is noticed by the first failure. To look for the smallest counterexample can take hours, which no time-out
// ends.
fc.configureGlobal({ endOnFailure: true });

// The test files of a worker share its environment, where the one before has left the address of its engine.
delete process.env['AWS_ENDPOINT_URL_DYNAMODB'];
