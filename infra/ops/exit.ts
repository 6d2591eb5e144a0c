/** The exit codes of the process; 2 is wrong use, 3 a failure on the way, 130 also an answer that is not yes. */
export const EXIT = { done: 0, rejected: 1, wrongUse: 2, failed: 3, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
