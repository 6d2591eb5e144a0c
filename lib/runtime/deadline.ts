import { AsyncLocalStorage } from 'node:async_hooks';

/** The time by which the work of a request must end. */
export interface Deadline {
  /** Returns the remaining milliseconds; at 0 or less, no call may begin. */
  remainingMs(): number;
  /** Aborted at the deadline, or when the response is ready. */
  readonly signal: AbortSignal;
}

/** The error of a call at the deadline; `callBegun`: the call was aborted, or (false) it was not sent. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
  readonly callBegun: boolean;

  constructor({ callBegun }: { callBegun: boolean }) {
    super('The time of the request is over.');
    this.callBegun = callBegun;
  }
}

// The time that the response and the log line need.
const ANSWER_MS = 1_000;

// Created once, because a stack trace takes longer than all other work of this file and has no information here.
const OVER = new DeadlineError({ callBegun: true });

const deadlines = new AsyncLocalStorage<Deadline>();

/** Runs the work of one request with a deadline. After the work has ended, its remaining promises begin no call. */
export async function withinDeadline<Result>(
  remainingTimeMs: () => number,
  work: () => Promise<Result>,
): Promise<Result> {
  const end = new AbortController();
  const { signal } = end;
  // In a process that was frozen a timer is late, so the clock is read too.
  const remainingMs = () => (signal.aborted ? 0 : remainingTimeMs() - ANSWER_MS);
  const timer = setTimeout(() => end.abort(OVER), Math.max(0, remainingMs()));
  try {
    return await deadlines.run({ remainingMs, signal }, work);
  } finally {
    clearTimeout(timer);
    end.abort(OVER);
  }
}

/** Returns the deadline of the current request; undefined outside of a request. */
export function currentDeadline(): Deadline | undefined {
  return deadlines.getStore();
}
