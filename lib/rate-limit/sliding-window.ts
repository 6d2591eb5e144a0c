import type { RatePolicy } from './policies.ts';
import { rateStatus, type RateStatus, secondsUntil } from './rate-status.ts';

/** The counters' store: one conditional write adds the time of a request, unless its window is full. */
export interface RateCounterStore {
  add(key: string, policy: RatePolicy, nowMs: number): Promise<AddResult>;
}

/** Whether the request was added; `times`: of the requests that were allowed, oldest first, Unix milliseconds. */
export interface AddResult {
  readonly kind: 'added' | 'full';
  readonly times: readonly number[];
}

/** Whether a request may go on, and what its headers say. */
export type RateDecision =
  | { readonly kind: 'allowed'; readonly status: RateStatus }
  | { readonly kind: 'refused'; readonly status: RateStatus; readonly retryAfterSeconds: number };

const MAX_REMEMBERED = 10_000;

/** An exact sliding window: the request is accepted when the `limit`-th one before it has left the window. */
export function createSlidingWindow(store: RateCounterStore): {
  readonly count: (subject: string, policy: RatePolicy, now: Date) => Promise<RateDecision>;
} {
  // A full window stays full until its oldest request leaves it; until then this process refuses by itself.
  const fullWindows = new Map<string, number>();

  return {
    async count(subject, policy, now) {
      const nowMs = now.getTime();
      const key = `${subject}#${policy.group}#${policy.limit}`;
      const rememberedMs = fullWindows.get(key);
      if (rememberedMs !== undefined) {
        if (rememberedMs <= nowMs && nowMs < rememberedMs + policy.windowMs)
          return refusal(policy, rememberedMs, nowMs);
        fullWindows.delete(key);
      }
      const { kind, times } = await store.add(key, policy, nowMs);
      if (kind === 'added') return { kind: 'allowed', status: rateStatus(policy, times, nowMs) };
      const oldestMs = times[0] ?? nowMs;
      if (fullWindows.size >= MAX_REMEMBERED) fullWindows.clear();
      fullWindows.set(key, oldestMs);
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
