import type { RatePolicy } from './policies.ts';
import { rateStatus, type RateStatus, secondsUntil } from './rate-status.ts';

/** The counters' store: takes a place in one conditional write, or leaves the register as it was. */
export interface RateCounterStore {
  takePlace(key: string, policy: RatePolicy, nowMs: number): Promise<PlaceDecision>;
}

/**
 * Whether a place was taken; `times`: the register after that, one per allowed request, oldest first, Unix
 * milliseconds.
 */
export interface PlaceDecision {
  readonly kind: 'taken' | 'full';
  readonly times: readonly number[];
}

/** Whether a request may go on, and what its headers say. */
export type RateDecision =
  | { readonly kind: 'allowed'; readonly status: RateStatus }
  | { readonly kind: 'refused'; readonly status: RateStatus; readonly retryAfterSeconds: number };

const MAX_REMEMBERED = 10_000;

/** An exact sliding window: the request is accepted when the one `limit` places before it has left the window. */
export function createSlidingWindow(store: RateCounterStore): {
  readonly count: (subject: string, policy: RatePolicy, now: Date) => Promise<RateDecision>;
} {
  // A full register stays full until its oldest place leaves the window; until then this process refuses by itself.
  const fullRegisters = new Map<string, number>();

  return {
    async count(subject, policy, now) {
      const nowMs = now.getTime();
      const key = `${subject}#${policy.group}#${policy.limit}`;
      const rememberedMs = fullRegisters.get(key);
      if (rememberedMs !== undefined) {
        if (rememberedMs <= nowMs && nowMs < rememberedMs + policy.windowMs)
          return refusal(policy, rememberedMs, nowMs);
        fullRegisters.delete(key);
      }
      const { kind, times } = await store.takePlace(key, policy, nowMs);
      if (kind === 'taken') return { kind: 'allowed', status: rateStatus(policy, times, nowMs) };
      const oldestMs = times[0] ?? nowMs;
      if (fullRegisters.size >= MAX_REMEMBERED) fullRegisters.clear();
      fullRegisters.set(key, oldestMs);
      return refusal(policy, oldestMs, nowMs);
    },
  };
}

function refusal(policy: RatePolicy, oldestMs: number, nowMs: number): RateDecision {
  const freeAtMs = oldestMs + policy.windowMs;
  return {
    kind: 'refused',
    status: { limit: policy.limit, remaining: 0, resetAt: Math.ceil(freeAtMs / 1000) },
    retryAfterSeconds: secondsUntil(freeAtMs, nowMs),
  };
}
