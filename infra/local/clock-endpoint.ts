import { parseIsoDate } from '../../lib/domain/iso-date.ts';
import { jsonReply } from './reply.ts';
import type { Reply } from './reply.ts';
import type { VirtualClock } from './virtual-clock.ts';

const FIRST_MS = Date.parse('1970-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59Z');

type Move = (clock: VirtualClock, value: unknown) => Fault | undefined;
interface Fault {
  readonly property: string;
  readonly constraint: string;
  readonly message: string;
}

const moves: Readonly<Record<string, Move>> = {
  advance_seconds(clock, value) {
    if (typeof value !== 'number' || value < 0)
      return fault('advance_seconds', 'minimum', 'must be a number from 0 on');
    return moveBy(clock, value * 1000, 'advance_seconds');
  },
  set(clock, value) {
    const time = typeof value === 'string' ? parseIsoDate(value) : null;
    if (time === null) return fault('set', 'format', 'must be a time such as 2026-08-01T00:00:00Z');
    return moveBy(clock, time.epochMs - clock.now(), 'set');
  },
  reset(clock, value) {
    if (value !== true) return fault('reset', 'const', 'must be true');
    clock.reset();
    return undefined;
  },
};

const usage = 'send one of {"set": "2026-08-01T00:00:00Z"}, {"advance_seconds": 61}, {"reset": true}';

/** Answers /_local/clock: says the functions' time and, when there is a body, moves it first. */
export function answerClock(clock: VirtualClock, body: string | undefined): Reply {
  const found = body === undefined ? undefined : move(clock, body);
  if (found !== undefined) return refusal(found);
  const seconds = Math.round(clock.offsetMs) / 1000;
  return jsonReply(200, { now: new Date(clock.now()).toISOString(), offset_seconds: seconds });
}

function move(clock: VirtualClock, body: string): Fault | undefined {
  const command = parse(body);
  if (command === undefined) return fault('body', 'json', `must be a JSON object: ${usage}`);
  const names = Object.keys(command);
  const unknown = names.find((name) => !Object.hasOwn(moves, name));
  if (unknown !== undefined) return fault(unknown.slice(0, 100), 'unknown', `is not known: ${usage}`);
  const [name, ...others] = names;
  if (name === undefined) return fault('body', 'single', `must have a property: ${usage}`);
  if (others.length > 0) return fault(name, 'single', `must stand alone: ${usage}`);
  return moves[name]?.(clock, command[name]);
}

function parse(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function moveBy(clock: VirtualClock, ms: number, property: string): Fault | undefined {
  const timeMs = clock.now() + ms;
  if (!(timeMs >= FIRST_MS && timeMs <= LAST_MS))
    return fault(property, 'range', 'must lead to the years 1970 to 9999');
  clock.advance(ms);
  return undefined;
}

function fault(property: string, constraint: string, message: string): Fault {
  return { property, constraint, message: `${property} ${message}` };
}

function refusal({ property, constraint, message }: Fault): Reply {
  const details = [{ property, constraints: { [constraint]: message } }];
  return jsonReply(400, { success: false, error: { code: 'VALIDATION_ERROR', message, details } });
}
