import { AsyncLocalStorage } from 'node:async_hooks';

/** The time by which the work of a request must end. */
export interface Deadline {
  /** Returns the remaining milliseconds. At 0 or less, no call may begin. */
  remainingMs(): number;
  /** Is aborted at the deadline, or when the response is ready. */
  readonly signal: AbortSignal;
}

/** The error of a call at the deadline. The call was aborted, or it was not sent (`hasCallBegun` is false). */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
  readonly hasCallBegun: boolean;

  constructor({ hasCallBegun }: { hasCallBegun: boolean }) {
    super('The time of the request is over.');
    this.hasCallBegun = hasCallBegun;
  }
}

/** The calls of a request to DynamoDB. */
interface Usage {
  readonly coldStart: boolean;
  calls: number;
  /** The number of consecutive waits. Parallel calls count as one wait. */
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

// The time that is reserved for the response and the log line.
const RESPONSE_MS = 1_000;

// All requests share this error. To create a stack trace, which is not useful here, would be slow.
const DEADLINE_OVER = new DeadlineError({ hasCallBegun: true });

const scopes = new AsyncLocalStorage<{ readonly deadline: Deadline; readonly usage: Usage }>();
let isFirstRequest = true;

/** Runs the work of a request with a deadline, and measures its usage. After the work has ended, no call can begin. */
export async function runWithinDeadline<Result>(
  remainingTimeMs: () => number,
  work: () => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const { signal } = controller;
  // After Lambda has frozen the process, the timer is late. Therefore the remaining time is always read.
  const remainingMs = () => (signal.aborted ? 0 : remainingTimeMs() - RESPONSE_MS);
  const usage = createUsage(isFirstRequest);
  isFirstRequest = false;
  const timer = setTimeout(() => controller.abort(DEADLINE_OVER), Math.max(0, remainingMs()));
  try {
    return await scopes.run({ deadline: { remainingMs, signal }, usage }, work);
  } finally {
    clearTimeout(timer);
    controller.abort(DEADLINE_OVER);
  }
}

function createUsage(coldStart: boolean): Usage {
  return { coldStart, calls: 0, roundTrips: 0, readUnits: 0, writeUnits: 0, lastWaitEndMs: Number.NEGATIVE_INFINITY };
}

/** Returns the deadline of the current request, or undefined outside of a request. */
export function getCurrentDeadline(): Deadline | undefined {
  return scopes.getStore()?.deadline;
}

/** True if the deadline of the current request is over. Outside of a request, there is no deadline. */
export function isDeadlineOver(): boolean {
  const deadline = getCurrentDeadline();
  return deadline !== undefined && deadline.remainingMs() <= 0;
}

/** Returns the usage of the current request so far. */
export function getCurrentUsage(): Readonly<Usage> {
  const usage = scopes.getStore()?.usage;
  if (!usage) throw new Error('Usage is measured inside of runWithinDeadline() only.');
  return usage;
}

/** Adds a call that has ended to the usage of its request. */
export function recordCall({ startMs, endMs, readUnits, writeUnits }: DatabaseCall): void {
  const usage = scopes.getStore()?.usage;
  if (!usage) return;
  usage.calls++;
  usage.readUnits += readUnits;
  usage.writeUnits += writeUnits;
  // Calls are recorded in the order of their ends. A call that began before the last wait ended was parallel to it.
  if (startMs < usage.lastWaitEndMs) return;
  usage.roundTrips++;
  usage.lastWaitEndMs = endMs;
}
