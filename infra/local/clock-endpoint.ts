import { jsonReply } from './reply.ts';
import type { Reply } from './reply.ts';
import type { VirtualClock } from './virtual-clock.ts';

const usage = 'Send {"advance_seconds": a number of at least 0} or {"reset": true}.';

/** Answers POST /_local/clock: moves the functions' clock forward, or back to the machine's. */
export function moveClock(clock: VirtualClock, body: string): Reply {
  const command = parse(body);
  if (command?.['reset'] === true) {
    clock.reset();
  } else if (isDuration(command?.['advance_seconds'], clock)) {
    clock.advance(command['advance_seconds'] * 1000);
  } else {
    const details = [{ property: 'advance_seconds', constraints: { clock: usage } }];
    return jsonReply(400, { success: false, error: { code: 'VALIDATION_ERROR', message: usage, details } });
  }
  return jsonReply(200, { now: new Date(clock.now()).toISOString() });
}

function parse(body: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body) ?? undefined;
  } catch {
    return undefined;
  }
}

function isDuration(value: unknown, clock: VirtualClock): value is number {
  return typeof value === 'number' && value >= 0 && !Number.isNaN(new Date(clock.now() + value * 1000).getTime());
}
