import { AsyncLocalStorage } from 'node:async_hooks';

/** One attempt of a call to DynamoDB: its start and end in milliseconds, and its capacity units. */
export interface DatabaseCall {
  readonly startMs: number;
  readonly endMs: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** The usage of a request; `roundTrips`: serial waits, so that parallel calls count once. */
export interface Usage {
  readonly coldStart: boolean;
  readonly calls: number;
  readonly roundTrips: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

type Tally = { -readonly [Field in keyof Usage]: Usage[Field] } & { lastWaitEndMs: number };

const tallies = new AsyncLocalStorage<Tally>();
let isFirstRequest = true;

/** Runs the work of one request and measures its usage, separately from other requests of the process. */
export function withUsageTracking<Result>(work: () => Result): Result {
  const coldStart = isFirstRequest;
  isFirstRequest = false;
  const nothing = { calls: 0, roundTrips: 0, readUnits: 0, writeUnits: 0 };
  return tallies.run({ coldStart, ...nothing, lastWaitEndMs: Number.NEGATIVE_INFINITY }, work);
}

/** Adds a call that has ended to the usage of its request. */
export function recordCall({ startMs, endMs, readUnits, writeUnits }: DatabaseCall): void {
  const tally = tallies.getStore();
  if (!tally) return;
  tally.calls++;
  tally.readUnits += readUnits;
  tally.writeUnits += writeUnits;
  // Calls are recorded in the order of their ends: a call that began after the last wait had ended is another wait.
  if (startMs < tally.lastWaitEndMs) return;
  tally.roundTrips++;
  tally.lastWaitEndMs = endMs;
}

/** Returns the usage of the current request so far. */
export function currentUsage(): Usage {
  const tally = tallies.getStore();
  if (!tally) throw new Error('Usage is measured inside of withUsageTracking() only.');
  return tally;
}
