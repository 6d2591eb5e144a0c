import { createLruCache } from '../runtime/lru-cache.ts';
import { type RatePolicy, rateStatus, type RateStatus, secondsUntil } from './policies.ts';

/** The store of the counters: one conditional write adds the time of a request, unless the window is full. */
export interface RateCounterStore {
  /** Returns the times of the allowed requests in Unix milliseconds, oldest first. */
  add(
    key: string,
    policy: RatePolicy,
    nowMs: number,
  ): Promise<{ readonly kind: 'added' | 'full'; readonly times: readonly number[] }>;
}

/** The decision on a request, with the values of its rate headers. */
export type RateDecision =
  | { readonly kind: 'allowed'; readonly status: RateStatus }
  | { readonly kind: 'refused'; readonly status: RateStatus; readonly retryAfterSeconds: number };

/** Counts the requests of subjects. */
export interface SlidingWindow {
  readonly count: (subject: string, policy: RatePolicy, now: Date) => Promise<RateDecision>;
  /** True if this process has cached that the window is full; `count` then rejects without a call to the store. */
  readonly isKnownFull: (subject: string, policy: RatePolicy, now: Date) => boolean;
}

const MAX_REMEMBERED = 10_000;

/** Creates an exact sliding window: a request is allowed if the `limit`-th request before it has left the window. */
export function createSlidingWindow(store: RateCounterStore): SlidingWindow {
  // The oldest times of full windows: a window is full until its oldest request has left it.
  const fullWindows = createLruCache<number>(MAX_REMEMBERED);

  const keyOf = (subject: string, policy: RatePolicy) => `${subject}#${policy.group}#${policy.limit}`;
  const knownFullSince = (key: string, { windowMs }: RatePolicy, nowMs: number) => {
    const oldestMs = fullWindows.get(key);
    return oldestMs !== undefined && oldestMs <= nowMs && nowMs < oldestMs + windowMs ? oldestMs : null;
  };

  return {
    isKnownFull: (subject, policy, now) => knownFullSince(keyOf(subject, policy), policy, now.getTime()) !== null,

    async count(subject, policy, now) {
      const nowMs = now.getTime();
      const key = keyOf(subject, policy);
      const fullSinceMs = knownFullSince(key, policy, nowMs);
      if (fullSinceMs !== null) return refusal(policy, fullSinceMs, nowMs);
      const { kind, times } = await store.add(key, policy, nowMs);
      if (kind === 'added') return { kind: 'allowed', status: rateStatus(policy, times, nowMs) };
      const oldestMs = times[0] ?? nowMs;
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
