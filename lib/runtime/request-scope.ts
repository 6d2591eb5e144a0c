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

/** The calls of a request to DynamoDB; `roundTrips`: serial waits, so that parallel calls count once. */
interface Usage {
  readonly coldStart: boolean;
  calls: number;
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  lastWaitEndMs: number;
}

/** One attempt of a call to DynamoDB: its start and end in milliseconds, and its capacity units. */
interface DatabaseCall extends Pick<Usage, 'readUnits' | 'writeUnits'> {
  readonly startMs: number;
  readonly endMs: number;
}

// The time that the response and the log line need.
const ANSWER_MS = 1_000;

// Created once, because a stack trace takes longer than all other work of this file and has no information here.
const OVER = new DeadlineError({ callBegun: true });

const scopes = new AsyncLocalStorage<{ readonly deadline: Deadline; readonly usage: Usage }>();
let isFirstRequest = true;

/**
 * Runs the work of one request with a deadline, and measures its usage. After the work has ended, its remaining promises
 * begin no call.
 */
export async function withinDeadline<Result>(
  remainingTimeMs: () => number,
  work: () => Promise<Result>,
): Promise<Result> {
  const end = new AbortController();
  const { signal } = end;
  // In a process that was frozen a timer is late, so the clock is read too.
  const remainingMs = () => (signal.aborted ? 0 : remainingTimeMs() - ANSWER_MS);
  const counts = { calls: 0, roundTrips: 0, readUnits: 0, writeUnits: 0 };
  const usage = { coldStart: isFirstRequest, ...counts, lastWaitEndMs: Number.NEGATIVE_INFINITY };
  isFirstRequest = false;
  const timer = setTimeout(() => end.abort(OVER), Math.max(0, remainingMs()));
  try {
    return await scopes.run({ deadline: { remainingMs, signal }, usage }, work);
  } finally {
    clearTimeout(timer);
    end.abort(OVER);
  }
}

/** Returns the deadline of the current request; undefined outside of a request. */
export function currentDeadline(): Deadline | undefined {
  return scopes.getStore()?.deadline;
}

/** Returns the usage of the current request so far. */
export function currentUsage(): Readonly<Usage> {
  const usage = scopes.getStore()?.usage;
  if (!usage) throw new Error('Usage is measured inside of withinDeadline() only.');
  return usage;
}

/** Adds a call that has ended to the usage of its request. */
export function recordCall({ startMs, endMs, readUnits, writeUnits }: DatabaseCall): void {
  const usage = scopes.getStore()?.usage;
  if (!usage) return;
  usage.calls++;
  usage.readUnits += readUnits;
  usage.writeUnits += writeUnits;
  // Calls are recorded in the order of their ends: a call that began after the last wait had ended is another wait.
  if (startMs < usage.lastWaitEndMs) return;
  usage.roundTrips++;
  usage.lastWaitEndMs = endMs;
}
