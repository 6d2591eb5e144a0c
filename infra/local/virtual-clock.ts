import { parseIsoDate } from '../../lib/domain/iso-date.ts';
import { buildJsonReply, buildUsageReply, parseJsonObject, type Reply } from './http.ts';

/** The Date of the machine. VirtualClock.install replaces the global Date. */
const MachineDate = Date;

const MIN_TIME_MS = Date.parse('1970-01-01T00:00:00Z');
const MAX_TIME_MS = Date.parse('9999-12-31T23:59:59Z');

const USAGE =
  'Send one of {"set": "2026-08-01T00:00:00Z"}, {"advance_seconds": 61}, {"reset": true}, ' +
  'with a number of at least 0, or a time in the years 1970 to 9999.';

/** The machine's time plus an offset that every thread shares, so that a tester can move the clock of all functions. */
export class VirtualClock {
  readonly #offsetMs: DataView<SharedArrayBuffer>;

  /** Creates a new clock, or the clock of a buffer from another thread. */
  constructor(buffer = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)) {
    this.#offsetMs = new DataView(buffer);
  }

  /** The buffer with which another thread can share this clock. */
  get buffer(): SharedArrayBuffer {
    return this.#offsetMs.buffer;
  }

  /** The difference to the machine's time, in milliseconds. */
  get offsetMs(): number {
    return this.#offsetMs.getFloat64(0);
  }

  /** The virtual time in milliseconds since 1970. */
  now(): number {
    return MachineDate.now() + this.offsetMs;
  }

  /** Moves the clock, in addition to earlier moves. */
  advance(ms: number): void {
    this.#offsetMs.setFloat64(0, this.offsetMs + ms);
  }

  /** Replaces the Date of the thread with this clock. */
  install(): void {
    const now = () => this.now();
    globalThis.Date = new Proxy(MachineDate, {
      apply: () => new MachineDate(now()).toString(),
      construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
      get: (target, property) => (property === 'now' ? now : Reflect.get(target, property)),
    });
  }
}

/** Responds to /_local/clock. Moves the clock of the functions if there is a body, and returns its time. */
export function respondToClock(clock: VirtualClock, body: string | undefined): Reply {
  const moveMs = body === undefined ? 0 : parseMove(clock, body);
  if (moveMs === null) return buildUsageReply(USAGE);
  const timeMs = clock.now() + moveMs;
  if (timeMs < MIN_TIME_MS || timeMs > MAX_TIME_MS) return buildUsageReply(USAGE);
  clock.advance(moveMs);
  return buildJsonReply(200, {
    now: new Date(clock.now()).toISOString(),
    offset_seconds: Math.round(clock.offsetMs) / 1000,
  });
}

/** Returns by how many milliseconds a command moves the clock, or null if the command is invalid. */
function parseMove(clock: VirtualClock, body: string): number | null {
  const [entry, ...otherEntries] = Object.entries(parseJsonObject(body));
  if (entry === undefined || otherEntries.length > 0) return null;
  const [name, value] = entry;
  if (name === 'advance_seconds' && typeof value === 'number' && value >= 0) return value * 1000;
  if (name === 'reset' && value === true) return -clock.offsetMs;
  if (name !== 'set' || typeof value !== 'string') return null;
  const date = parseIsoDate(value);
  return date === null ? null : date.startMs - clock.now();
}
