import { parseIsoDate } from '../../lib/domain/iso-date.ts';
import { buildJsonReply, buildUsageReply, parseCommand, type Reply } from './reply.ts';
import type { VirtualClock } from './virtual-clock.ts';

const MIN_TIME_MS = Date.parse('1970-01-01T00:00:00Z');
const MAX_TIME_MS = Date.parse('9999-12-31T23:59:59Z');

const USAGE =
  'Send one of {"set": "2026-08-01T00:00:00Z"}, {"advance_seconds": 61}, {"reset": true}, ' +
  'with a number of at least 0, or a time in the years 1970 to 9999.';

/**
 * Moves the clock as a tester commands. If the clock does not move forward, the counters of requests can contain times
 * that are now in the future, and would throttle requests. Therefore the function then calls `deleteCounters`.
 */
export async function runClockCommand(
  clock: VirtualClock,
  body: string,
  deleteCounters: () => Promise<void>,
): Promise<Reply> {
  const moveMs = parseMove(clock, body);
  if (moveMs === null) return buildUsageReply(USAGE);
  const newTimeMs = clock.now() + moveMs;
  if (newTimeMs < MIN_TIME_MS || newTimeMs > MAX_TIME_MS) return buildUsageReply(USAGE);
  clock.advance(moveMs);
  if (moveMs <= 0) await deleteCounters();
  return buildClockReply(clock);
}

/** Builds the response with the time of the clock. */
export function buildClockReply(clock: VirtualClock): Reply {
  return buildJsonReply(200, {
    now: new Date(clock.now()).toISOString(),
    offset_seconds: Math.round(clock.offsetMs) / 1000,
  });
}

/** Returns by how many milliseconds a command moves the clock, or null if the command is invalid. */
function parseMove(clock: VirtualClock, body: string): number | null {
  const { set, advance_seconds, reset, ...unknown } = parseCommand(body);
  const values = [set, advance_seconds, reset].filter((value) => value !== undefined);
  if (values.length !== 1 || Object.keys(unknown).length > 0) return null;
  if (reset === true) return -clock.offsetMs;
  if (typeof advance_seconds === 'number' && advance_seconds >= 0) return advance_seconds * 1000;
  const date = typeof set === 'string' ? parseIsoDate(set) : null;
  return date === null ? null : date.startMs - clock.now();
}
