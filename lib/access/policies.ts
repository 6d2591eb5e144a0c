import type { AccessKind } from '../domain/directory.ts';
import { LIMITS } from '../domain/limits.ts';

/** A limit of accepted requests in any period of `windowMs`; `group` is the name of the counter. */
export interface RatePolicy {
  readonly group: string;
  readonly limit: number;
  readonly windowMs: number;
}

/** The limits of the supplier portal, per tenant and user. */
export const PORTAL_POLICIES: Readonly<Record<AccessKind, RatePolicy>> = {
  read: { group: 'supplier-portal-read', limit: LIMITS.reads, windowMs: LIMITS.windowSeconds * 1000 },
  write: { group: 'supplier-portal-write', limit: LIMITS.writes, windowMs: LIMITS.windowSeconds * 1000 },
};

/** `limit` failed logins within `windowMs` lock their source out for `lockoutMs`. */
export interface LoginPolicy {
  readonly limit: number;
  readonly windowMs: number;
  readonly lockoutMs: number;
}

/** The brute-force protection of the login. */
export const LOGIN_POLICY: LoginPolicy = {
  limit: LIMITS.loginFailures,
  windowMs: LIMITS.loginWindowSeconds * 1000,
  lockoutMs: LIMITS.loginLockoutSeconds * 1000,
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The limits of the failed logins of an account. They apply to sources that have not logged in to it before. */
export interface AccountPolicy {
  /** Failures are counted in windows of this length, aligned to 00:00 UTC. */
  readonly windowMs: number;
  /** The limit for each login name and route, above that of LOGIN_POLICY: a source can try again after that lockout. */
  readonly failuresPerSource: number;
  readonly failuresPerWindow: number;
  /** A source that logs in is trusted in this period and in the next one. */
  readonly periodMs: number;
  readonly trustedSourcesPerPeriod: number;
}

/** The limits of the failed logins of an account, on both routes together. */
export const ACCOUNT_POLICY: AccountPolicy = {
  windowMs: LIMITS.accountWindowHours * HOUR_MS,
  failuresPerSource: LIMITS.accountFailuresPerSource,
  failuresPerWindow: LIMITS.accountFailures,
  periodMs: LIMITS.trustedDays * DAY_MS,
  trustedSourcesPerPeriod: 200,
};

/**
 * The number of failures from which the log reports an account (in a window of ACCOUNT_POLICY) or a source (in a day,
 * UTC). A source has at most 40 slots of an account (two names, two routes); many users who share an address have
 * some dozens of failures by mistake.
 */
export const REPORTED_FAILURES = { account: 50, source: 100 } as const;
