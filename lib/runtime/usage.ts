import { AsyncLocalStorage } from 'node:async_hooks';

/** One attempt at a call to DynamoDB: when it was under way, in milliseconds, and what it was charged. */
export interface DatabaseCall {
  readonly startMs: number;
  readonly endMs: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** What a request has used so far; `roundTrips`: how often it had to wait, calls side by side being one wait. */
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

/** Runs the work of one request; what it uses is added up apart from that of requests beside it. */
export function measured<Result>(work: () => Result): Result {
  const coldStart = isFirstRequest;
  isFirstRequest = false;
  const nothing = { calls: 0, roundTrips: 0, readUnits: 0, writeUnits: 0 };
  return tallies.run({ coldStart, ...nothing, lastWaitEndMs: Number.NEGATIVE_INFINITY }, work);
}

/** Adds a call that has ended to the request that made it. */
export function recordCall({ startMs, endMs, readUnits, writeUnits }: DatabaseCall): void {
  const tally = tallies.getStore();
  if (!tally) return;
  tally.calls++;
  tally.readUnits += readUnits;
  tally.writeUnits += writeUnits;
  // Calls come in the order of their ends: one that began after the last wait had ended is a wait of its own.
  if (startMs < tally.lastWaitEndMs) return;
  tally.roundTrips++;
  tally.lastWaitEndMs = endMs;
}

/** What the request at hand has used so far. */
export function currentUsage(): Usage {
  const tally = tallies.getStore();
  if (!tally) throw new Error('Usage is only known inside of measured().');
  return tally;
}
