import { AsyncLocalStorage } from 'node:async_hooks';

/** By when the work of a request must have ended. */
export interface Deadline {
  /** Milliseconds that are left, by the clock at this moment; at 0 or less nothing may begin any more. */
  remainingMs(): number;
  /** Aborted at the deadline, or as soon as the request is answered. */
  readonly signal: AbortSignal;
}

/** The time of the request is over; `callBegun`: whether a call was given up, or (false) not even begun. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
  readonly callBegun: boolean;

  constructor({ callBegun }: { callBegun: boolean }) {
    super('The time of the request is over.');
    this.callBegun = callBegun;
  }
}

// What it takes to write the answer and the log line.
const ANSWER_MS = 1_000;

// Made once: the trace of an error takes longer than the rest of this file, and tells nothing here.
const OVER = new DeadlineError({ callBegun: true });

const deadlines = new AsyncLocalStorage<Deadline>();

/**
 * Runs the work of one request, which ends in time for its answer. What the work leaves behind begins no call later.
 */
export async function withinDeadline<Result>(
  remainingTimeMs: () => number,
  work: () => Promise<Result>,
): Promise<Result> {
  const end = new AbortController();
  const { signal } = end;
  // A timer is late in a process that was frozen, so that the clock is asked too.
  const remainingMs = () => (signal.aborted ? 0 : remainingTimeMs() - ANSWER_MS);
  const timer = setTimeout(() => end.abort(OVER), Math.max(0, remainingMs()));
  try {
    return await deadlines.run({ remainingMs, signal }, work);
  } finally {
    clearTimeout(timer);
    end.abort(OVER);
  }
}

/** The deadline of the request at hand; undefined outside of a request. */
export function currentDeadline(): Deadline | undefined {
  return deadlines.getStore();
}
