import { ServiceError } from '../domain/errors.ts';
import { tooManyLogins } from '../domain/texts.ts';
import { systemClock } from '../runtime/clock.ts';
import { LOGIN_POLICY, computeRateStatus, type RateStatus, computeSecondsUntil } from '../domain/policies.ts';

/** The state of a source after a write, and whether the write was made. */
export interface GuardDecision {
  /** `rejected`: the source was locked out, and nothing was written. */
  readonly kind: 'accepted' | 'rejected';
  /** The times of the latest 5 failures in Unix milliseconds, oldest first; 0 where there were fewer. */
  readonly failureTimes: readonly number[];
  readonly failuresToday: number;
}

/** The store of the source guard. It makes no write while the source is locked out. */
export interface GuardStore {
  /** Reads the times of the latest failures with a strongly consistent read. */
  readFailureTimes(source: string): Promise<readonly number[]>;
  recordSuccess(source: string, nowMs: number): Promise<GuardDecision>;
  /** Adds a failure. A retry of the write does not add a second failure. */
  recordFailure(source: string, nowMs: number): Promise<GuardDecision>;
}

/** The guard of source addresses. All its functions throw LoginBlockedError during a lockout. */
export interface LoginGuard {
  /** Returns the values of the rate headers: how many failures the source has left. */
  readonly getStatus: (source: string) => Promise<RateStatus>;
  /** Begins an attempt. After the check of the password, the caller records the outcome, and then responds. */
  readonly beginAttempt: (source: string) => Promise<{
    readonly recordSuccess: () => Promise<RateStatus>;
    /** Returns also the number of failures of the source on this day (UTC). */
    readonly recordFailure: () => Promise<RateStatus & Pick<GuardDecision, 'failuresToday'>>;
  }>;
}

/**
 * The error of an attempt that is rejected. `blocked-source`: the source is locked out. `account-locked-for-source`: the
 * account is locked, because of the failures of this source. `account-locked`: because of those of all sources.
 */
export class LoginBlockedError extends ServiceError {
  override readonly reason: 'blocked-source' | 'account-locked' | 'account-locked-for-source';
  readonly retryAfterSeconds: number;

  constructor(reason: LoginBlockedError['reason'], retryAfterSeconds: number) {
    super('RATE_LIMITED', tooManyLogins);
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Creates the guard that locks a source out for 60 s after 5 failures within 30 s.
 *
 * The state is read before the password is checked. The outcome is written on the condition that the source is still
 * not locked out. Therefore at most 5 of many simultaneous attempts learn that their password is wrong.
 */
export function createLoginGuard(store: GuardStore): LoginGuard {
  async function getStatus(source: string): Promise<RateStatus> {
    const failureTimes = await store.readFailureTimes(source);
    const nowMs = systemClock.now().getTime();
    if (computeLockoutEndMs(failureTimes) > nowMs) throw createLockoutError(failureTimes, nowMs);
    return computeRateStatus(LOGIN_POLICY, failureTimes, nowMs);
  }

  async function recordOutcome(method: 'recordSuccess' | 'recordFailure', source: string) {
    const nowMs = systemClock.now().getTime();
    const { kind, failureTimes, failuresToday } = await store[method](source, nowMs);
    if (kind === 'rejected') throw createLockoutError(failureTimes, nowMs);
    return { ...computeRateStatus(LOGIN_POLICY, failureTimes, nowMs), failuresToday };
  }

  return {
    getStatus,
    async beginAttempt(source) {
      await getStatus(source);
      return {
        recordSuccess: () => recordOutcome('recordSuccess', source),
        recordFailure: () => recordOutcome('recordFailure', source),
      };
    },
  };
}

/** Computes the end of the lockout that the latest 5 failures cause, in Unix milliseconds; 0 if they cause none. */
function computeLockoutEndMs(failureTimes: readonly number[]): number {
  const [oldestMs = 0] = failureTimes;
  const latestMs = failureTimes.at(-1) ?? 0;
  // With fewer than 5 failures, the oldest time is 0 and the span is longer than the window.
  const isWithinWindow = latestMs - oldestMs < LOGIN_POLICY.windowMs;
  return isWithinWindow ? latestMs + LOGIN_POLICY.lockoutMs : 0;
}

function createLockoutError(failureTimes: readonly number[], nowMs: number): LoginBlockedError {
  return new LoginBlockedError('blocked-source', computeSecondsUntil(computeLockoutEndMs(failureTimes), nowMs));
}
