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

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * An account may fail `limit` times in any `windowMs`, then once more after each pause without a failure. The last of
 * the pauses goes on until `windowMs` have passed without a failure.
 */
export interface AccountPolicy {
  readonly limit: number;
  readonly windowMs: number;
  readonly pausesMs: readonly number[];
}

/** The failures of an account on both routes, from sources that it does not know: with an API key, and without one. */
export const ACCOUNT_POLICY: AccountPolicy = {
  limit: 20,
  // A window of minutes would never hold up somebody who guesses once a minute.
  windowMs: DAY_MS,
  pausesMs: [1, 2, 4, 8, 15].map((minutes) => minutes * MINUTE_MS),
};

/**
 * From how many failures in 24 hours on an account or a source is reported. Who guesses at an account without an end
 * comes to 96; many who share an address come to some dozens by mistake.
 */
export const REPORTED_FAILURES = { windowMs: DAY_MS, account: 50, source: 100 } as const;

/** An account knows `most` sources of its logins, each for `lifetimeMs`; a login is noted again after `renewMs`. */
export const KNOWN_SOURCES = { most: 10, lifetimeMs: 30 * DAY_MS, renewMs: 7 * DAY_MS } as const;
