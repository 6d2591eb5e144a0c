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

/** Counts requests of subjects. */
export interface SlidingWindow {
  readonly count: (subject: string, policy: RatePolicy, now: Date) => Promise<RateDecision>;
  /** Whether a window is full as far as this process remembers: `count` will refuse without asking. */
  readonly isKnownFull: (subject: string, policy: RatePolicy, now: Date) => boolean;
}

const MAX_REMEMBERED = 10_000;

/** An exact sliding window: the request is accepted when the `limit`-th one before it has left the window. */
export function createSlidingWindow(store: RateCounterStore): SlidingWindow {
  // A full window stays full until its oldest request leaves it; until then this process refuses by itself.
  const fullWindows = new Map<string, number>();

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
      fullWindows.delete(key);
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
