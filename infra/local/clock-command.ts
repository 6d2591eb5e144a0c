import { parseIsoDate } from '../../lib/domain/iso-date.ts';
import { buildJsonReply, buildUsageReply, parseCommand, type Reply } from './reply.ts';
import type { VirtualClock } from './virtual-clock.ts';

const MIN_TIME_MS = Date.parse('1970-01-01T00:00:00Z');
const MAX_TIME_MS = Date.parse('9999-12-31T23:59:59Z');

const USAGE =
  'Send one of {"set": "2026-08-01T00:00:00Z"}, {"advance_seconds": 61}, {"reset": true}, ' +
  'with a number of at least 0, or a time in the years 1970 to 9999.';

/** Moves the clock as a tester commands. Calls `deleteCounters` unless the clock moves forward. */
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
  // Otherwise, requests would be throttled because of times that are now in the future.
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
  const entries = Object.entries(parseCommand(body));
  if (entries[0] === undefined || entries.length > 1) return null;
  const [name, value] = entries[0];
  if (name === 'advance_seconds' && typeof value === 'number' && value >= 0) return value * 1000;
  if (name === 'reset' && value === true) return -clock.offsetMs;
  if (name !== 'set' || typeof value !== 'string') return null;
  const date = parseIsoDate(value);
  return date === null ? null : date.startMs - clock.now();
}
