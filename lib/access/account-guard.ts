import type { LoginAccount } from '../domain/directory.ts';
import { systemClock } from '../runtime/clock.ts';
import { LoginBlockedError } from './login-guard.ts';
import { ACCOUNT_POLICY, computeSecondsUntil } from '../domain/policies.ts';

const { windowMs, failuresPerSource, failuresPerTrustedSource, failuresPerWindow, trustedSourcesPerPeriod } =
  ACCOUNT_POLICY;

/**
 * A counter of the failures of an account in a window, and the number of failures from which the account is locked.
 * `source` counts the failures of one source, login name and route. `account` counts those of all untrusted sources.
 */
export interface FailureCounter {
  readonly name: 'source' | 'account';
  readonly limit: number;
}

const COUNTERS_OF_TRUSTED: readonly FailureCounter[] = [{ name: 'source', limit: failuresPerTrustedSource }];
const COUNTERS_OF_UNTRUSTED: readonly FailureCounter[] = [
  { name: 'source', limit: failuresPerSource },
  { name: 'account', limit: failuresPerWindow },
];

/** The stored state of an account, or of a login name that does not exist, for an attempt from one source. */
export interface AccountRecord {
  readonly account: LoginAccount;
  /** A PHC string; null if there is no password. */
  readonly passwordHash: string | null;
  readonly tokensNotBeforeMs: number;
  /** Identifies the source. The hash of one source is different in each account. */
  readonly sourceHash: string;
  /**
   * Identifies the counter of the source, login name and route. Without the name, the failures of one name would reveal
   * that another name belongs to the same account. Without the route, wrong legacy calls would lock out logins.
   */
  readonly counterHash: string;
  /** The failures in the current window. */
  readonly failures: Readonly<Record<FailureCounter['name'], number>>;
  readonly trustedSources: Readonly<Record<'current' | 'previous', ReadonlySet<string>>>;
  /** Attributes that no decision needs any more; the next write removes them. */
  readonly obsoleteAttributes: readonly string[];
}

/** An attempt, with the counters that limit it. */
export interface AccountAttempt extends AccountRecord {
  readonly counters: readonly FailureCounter[];
}

/**
 * The store of the account guard. Each write has the condition that all counters of the attempt are below their limits
 * in the window of `nowMs`. Otherwise, nothing is written and the result is false.
 */
export interface AccountStore {
  readonly read: (account: LoginAccount, source: string, nowMs: number) => Promise<AccountRecord>;
  /** Adds 1 to each counter of the attempt. */
  readonly recordFailure: (attempt: AccountAttempt, nowMs: number) => Promise<boolean>;
  /** Adds `newTrustedSource` (unless null) to the trusted sources of the current period. */
  readonly recordSuccess: (attempt: AccountAttempt, newTrustedSource: string | null, nowMs: number) => Promise<boolean>;
}

/**
 * Begins a login attempt. Throws LoginBlockedError if the account is locked for the source. After the check of the
 * password, the caller records the outcome, and then responds. Both functions of the attempt throw LoginBlockedError if
 * other attempts have locked the account for the source meanwhile.
 */
export type BeginAccountAttempt = (
  account: LoginAccount,
  source: string,
) => Promise<
  Pick<AccountRecord, 'passwordHash' | 'tokensNotBeforeMs'> & {
    readonly recordSuccess: () => Promise<void>;
    /** Returns how many failures of untrusted sources the account has in the current window. */
    readonly recordFailure: () => Promise<number>;
  }
>;

/**
 * Creates the guard that limits the wrong passwords of an account, over all sources and both routes.
 *
 * In each window of 4 hours (UTC) a source can fail 10 times with each login name and route, and all sources together
 * can fail 100 times. A source from which the user has logged in is trusted: it can fail 100 times, independently of
 * the other sources. Then the account is locked for the source until the window ends. A login name that does not exist
 * has the same limits.
 *
 * Both outcomes are written on the condition that the limits are not reached. Therefore parallel attempts get as many
 * responses as serial ones, and a correct password has no influence on which attempt gets a response.
 */
export function createAccountGuard(store: AccountStore): BeginAccountAttempt {
  return async (account, source) => {
    const beginMs = systemClock.now().getTime();
    const record = await store.read(account, source, beginMs);
    const { passwordHash, tokensNotBeforeMs, sourceHash, failures, trustedSources } = record;
    const isTrustedNow = trustedSources.current.has(sourceHash);
    const isTrusted = isTrustedNow || trustedSources.previous.has(sourceHash);
    const counters = isTrusted ? COUNTERS_OF_TRUSTED : COUNTERS_OF_UNTRUSTED;
    const attempt = { ...record, counters };
    const fullCounter = counters.find(({ name, limit }) => failures[name] >= limit);
    if (fullCounter?.name === 'source') throw createLockedError('account-locked-for-source', beginMs);
    if (fullCounter) throw createLockedError('account-locked', beginMs);

    return {
      passwordHash,
      tokensNotBeforeMs,

      async recordSuccess() {
        // The guard of sources accepts at most 5 failures during an attempt. Therefore the limit of a trusted source
        // without failures is certainly not reached, and its logins need no write.
        if (isTrustedNow && failures.source === 0) return;
        const hasRoom = trustedSources.current.size < trustedSourcesPerPeriod;
        const newTrustedSource = !isTrustedNow && hasRoom ? sourceHash : null;
        const endMs = systemClock.now().getTime();
        const isWritten = await store.recordSuccess(attempt, newTrustedSource, endMs);
        if (!isWritten) throw createLockedError('account-locked', endMs);
      },

      async recordFailure() {
        const endMs = systemClock.now().getTime();
        const isWritten = await store.recordFailure(attempt, endMs);
        if (!isWritten) throw createLockedError('account-locked', endMs);
        return isTrusted ? failures.account : failures.account + 1;
      },
    };
  };
}

function createLockedError(reason: LoginBlockedError['reason'], nowMs: number): LoginBlockedError {
  const windowEndMs = (Math.floor(nowMs / windowMs) + 1) * windowMs;
  return new LoginBlockedError(reason, computeSecondsUntil(windowEndMs, nowMs));
}
