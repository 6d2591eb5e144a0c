import type { AccessKind } from './directory.ts';
import { LIMITS } from './limits.ts';

/** A limit of accepted requests in any period of `windowMs`; `group` is the name of the counter. */
export interface RatePolicy {
  readonly group: string;
  readonly limit: number;
  readonly windowMs: number;
}

export const PORTAL_POLICIES: Readonly<Record<AccessKind, RatePolicy>> = {
  read: { group: 'supplier-portal-read', limit: LIMITS.reads, windowMs: LIMITS.windowSeconds * 1000 },
  write: { group: 'supplier-portal-write', limit: LIMITS.writes, windowMs: LIMITS.windowSeconds * 1000 },
};

/** The brute-force protection: `limit` failed logins within `windowMs` lock their source out for `lockoutMs`. */
export const LOGIN_POLICY = {
  limit: LIMITS.loginFailures,
  windowMs: LIMITS.loginWindowSeconds * 1000,
  lockoutMs: LIMITS.loginLockoutSeconds * 1000,
};

const HOUR_MS = 3_600_000;

/** The limits of the failed logins of an account, on both routes together. */
export const ACCOUNT_POLICY = {
  /** Failures are counted in windows of this length, aligned to 00:00 UTC. */
  windowMs: LIMITS.accountWindowHours * HOUR_MS,
  /** The limit for a source, login name and route. It is above that of LOGIN_POLICY, so that a lockout comes first. */
  failuresPerSource: LIMITS.accountFailuresPerSource as number,
  /** The limit for a trusted source, login name and route. */
  failuresPerTrustedSource: LIMITS.accountFailuresPerTrustedSource as number,
  /** The limit for all sources together that are not trusted. */
  failuresPerWindow: LIMITS.accountFailures as number,
  /** A source that logs in is trusted in this period and in the next one. */
  periodMs: LIMITS.trustedDays * 24 * HOUR_MS,
  trustedSourcesPerPeriod: 200,
};

/**
 * The numbers of failures from which the log reports an account (in a window of ACCOUNT_POLICY) or a source (in a UTC
 * day). Above 40, the failures of an account are from several sources: one source has 10 for each of 2 names and 2
 * routes. Below 100, the failures of a source can be mistakes of many users who share an address.
 */
export const REPORTED_FAILURES = { account: 50, source: 100 } as const;

/** The number of days before the end of an API key or a user from which requests with it start an alarm. */
export const EXPIRY_NOTICE_DAYS = 14;

/** The values of the X-RateLimit-* headers; `resetAt` is a Unix time in seconds. */
export interface RateStatus {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
}

/** Computes the values of the rate headers at `nowMs`. `timesMs` are the times of at most `limit` counted requests. */
export function computeRateStatus(
  { limit, windowMs }: { limit: number; windowMs: number },
  timesMs: readonly number[],
  nowMs: number,
): RateStatus {
  const timesInWindow = timesMs.filter((timeMs) => timeMs > nowMs - windowMs);
  const oldestMs = timesInWindow.length > 0 ? Math.min(...timesInWindow) : nowMs;
  return {
    limit,
    remaining: limit - timesInWindow.length,
    resetAt: Math.ceil((oldestMs + windowMs) / 1000),
  };
}

/** Computes the whole seconds from `nowMs` until `untilMs`, at least 1. */
export function computeSecondsUntil(untilMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((untilMs - nowMs) / 1000));
}
