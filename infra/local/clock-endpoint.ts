import { parseIsoDate } from '../../lib/domain/iso-date.ts';
import { jsonReply, type Reply } from './replies.ts';
import type { VirtualClock } from './virtual-clock.ts';

const FIRST_MS = Date.parse('1970-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59Z');

const usage = 'send one of {"set": "2026-08-01T00:00:00Z"}, {"advance_seconds": 61}, {"reset": true}';

const WENT_BACK =
  'The clock went back. Limits and lockouts that began later still end at their original time, and tokens that were ' +
  'issued later are valid until they expire. Restart the service to remove them.';

/** Returns for each command how many milliseconds it moves the clock, or a text with the required value. */
const moves: Readonly<Record<string, (value: unknown, clock: VirtualClock) => number | string>> = {
  advance_seconds: (value) => (typeof value === 'number' && value >= 0 ? value * 1000 : 'must be a number from 0 on'),
  set(value, clock) {
    const time = typeof value === 'string' ? parseIsoDate(value) : null;
    return time === null ? 'must be a time such as 2026-08-01T00:00:00Z' : time.epochMs - clock.now();
  },
  reset: (value, clock) => (value === true ? -clock.offsetMs : 'must be true'),
};

/** Responds to /_local/clock: moves the clock of the functions if there is a body, and returns its time. */
export function respondToClock(clock: VirtualClock, body: string | undefined): Reply {
  const before = clock.offsetMs;
  const message = body === undefined ? undefined : moveClock(clock, body);
  if (message !== undefined) return jsonReply(400, { success: false, error: { code: 'VALIDATION_ERROR', message } });
  const seconds = Math.round(clock.offsetMs) / 1000;
  const note = clock.offsetMs < before && { note: WENT_BACK };
  return jsonReply(200, { now: new Date(clock.now()).toISOString(), offset_seconds: seconds, ...note });
}

/** Moves the clock; returns an error message if the command is invalid. */
function moveClock(clock: VirtualClock, body: string): string | undefined {
  const [entry, ...others] = parseCommands(body);
  if (entry === undefined || others.length > 0) return `body must be an object with one property: ${usage}`;
  const [name, value] = entry;
  if (!Object.hasOwn(moves, name)) return `${name.slice(0, 100)} is not known: ${usage}`;
  const ms = moves[name]!(value, clock);
  if (typeof ms === 'string') return `${name} ${ms}`;
  const timeMs = clock.now() + ms;
  if (!(timeMs >= FIRST_MS && timeMs <= LAST_MS)) return `${name} must lead to the years 1970 to 9999`;
  clock.advance(ms);
  return undefined;
}

function parseCommands(body: string): [string, unknown][] {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  } catch {
    return [];
  }
}
