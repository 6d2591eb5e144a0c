import type { AccessKind } from '../domain/directory.ts';

/** At most `limit` accepted requests in any `windowMs`; `group` names the counter. */
export interface RatePolicy {
  readonly group: string;
  readonly limit: number;
  readonly windowMs: number;
}

/** The limits of the supplier portal, per tenant and user. */
export const PORTAL_POLICIES: Readonly<Record<AccessKind, RatePolicy>> = {
  read: { group: 'supplier-portal-read', limit: 30, windowMs: 60_000 },
  write: { group: 'supplier-portal-write', limit: 10, windowMs: 60_000 },
};

/** `limit` failed logins within `windowMs` block their source for `blockMs`. */
export interface LoginPolicy {
  readonly limit: number;
  readonly windowMs: number;
  readonly blockMs: number;
}

/** The brute-force protection of the login. */
export const LOGIN_POLICY: LoginPolicy = { limit: 5, windowMs: 30_000, blockMs: 60_000 };

/**
 * An account may fail `limit` times in any `windowMs`, then once more each time `pauseMs` have passed without a
 * failure.
 */
export interface AccountPolicy {
  readonly limit: number;
  readonly windowMs: number;
  readonly pauseMs: number;
}

/** The failures of an account, from all sources and on both routes. */
export const ACCOUNT_POLICY: AccountPolicy = { limit: 20, windowMs: 900_000, pauseMs: 60_000 };

/** An account knows `most` sources of its logins, each for `lifetimeMs`; a login is noted again after `renewMs`. */
export const KNOWN_SOURCES = { most: 10, lifetimeMs: 30 * 86_400_000, renewMs: 7 * 86_400_000 } as const;
