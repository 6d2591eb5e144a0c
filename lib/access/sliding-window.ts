import { createLruCache } from '../runtime/lru-cache.ts';
import { type RatePolicy, computeRateStatus, type RateStatus, computeSecondsUntil } from '../domain/policies.ts';

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
  | { readonly kind: 'rejected'; readonly status: RateStatus; readonly retryAfterSeconds: number };

/** The counter of the requests of all subjects. */
export interface SlidingWindow {
  readonly count: (subject: string, policy: RatePolicy, now: Date) => Promise<RateDecision>;
  /** True if this process has cached that the window is full. `count` then rejects without a call to the store. */
  readonly isKnownFull: (subject: string, policy: RatePolicy, now: Date) => boolean;
}

const MAX_CACHED_WINDOWS = 10_000;

/** Creates an exact sliding window. A request is allowed if fewer than `limit` requests were allowed in the window. */
export function createSlidingWindow(store: RateCounterStore): SlidingWindow {
  // The time of the oldest request in each full window. The window is full until this request is older than `windowMs`.
  const fullWindows = createLruCache<number>(MAX_CACHED_WINDOWS);

  const buildCounterKey = (subject: string, policy: RatePolicy) => `${subject}#${policy.group}#${policy.limit}`;
  const findCachedOldestMs = (key: string, { windowMs }: RatePolicy, nowMs: number) => {
    const oldestMs = fullWindows.get(key);
    return oldestMs !== undefined && oldestMs <= nowMs && nowMs < oldestMs + windowMs ? oldestMs : null;
  };

  return {
    isKnownFull: (subject, policy, now) =>
      findCachedOldestMs(buildCounterKey(subject, policy), policy, now.getTime()) !== null,

    async count(subject, policy, now) {
      const nowMs = now.getTime();
      const key = buildCounterKey(subject, policy);
      const cachedOldestMs = findCachedOldestMs(key, policy, nowMs);
      if (cachedOldestMs !== null) return buildRejection(policy, cachedOldestMs, nowMs);
      const { kind, times } = await store.add(key, policy, nowMs);
      if (kind === 'added') return { kind: 'allowed', status: computeRateStatus(policy, times, nowMs) };
      const oldestMs = times[0] ?? nowMs;
      fullWindows.set(key, oldestMs);
      return buildRejection(policy, oldestMs, nowMs);
    },
  };
}

function buildRejection(policy: RatePolicy, oldestMs: number, nowMs: number): RateDecision {
  const freeAtMs = oldestMs + policy.windowMs;
  return {
    kind: 'rejected',
    status: { limit: policy.limit, remaining: 0, resetAt: Math.ceil(freeAtMs / 1000) },
    retryAfterSeconds: computeSecondsUntil(freeAtMs, nowMs),
  };
}
