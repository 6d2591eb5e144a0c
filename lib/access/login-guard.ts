import { ServiceError } from '../domain/errors.ts';
import { tooManyLogins } from '../domain/texts.ts';
import { LOGIN_POLICY, rateStatus, type RateStatus, secondsUntil } from './policies.ts';

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
  /** Reads the times of the latest failures, strongly consistent. */
  readFailureTimes(source: string): Promise<readonly number[]>;
  recordSuccess(source: string, nowMs: number): Promise<GuardDecision>;
  /** Adds a failure, once even if the write is retried. */
  recordFailure(source: string, nowMs: number): Promise<GuardDecision>;
}

/** The guard of source addresses. All its functions throw LoginBlocked during a lockout. */
export interface LoginGuard {
  readonly getStatus: (source: string) => Promise<RateStatus>;
  /** Begins an attempt whose password may be checked. The caller records the outcome before it responds. */
  readonly beginAttempt: (source: string) => Promise<{
    readonly recordSuccess: () => Promise<RateStatus>;
    /** Returns also the number of failures of the source on this day (UTC). */
    readonly recordFailure: () => Promise<RateStatus & Pick<GuardDecision, 'failuresToday'>>;
  }>;
}

/** The error of an attempt that is rejected: its source is locked out, or its account is locked for the source. */
export class LoginBlocked extends ServiceError {
  override readonly reason: 'blocked-source' | 'account-locked';
  readonly retryAfterSeconds: number;

  constructor(reason: LoginBlocked['reason'], retryAfterSeconds: number) {
    super('RATE_LIMITED', tooManyLogins);
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Creates the guard that locks a source out for 60 s after 5 failures within 30 s.
 *
 * The state is read before the password is checked, and the outcome is written on the condition that the source is not
 * locked out by then. So many attempts at the same time get at most 5 failures, and any number of successes.
 */
export function createLoginGuard(store: GuardStore, clock: { now(): Date }): LoginGuard {
  async function getStatus(source: string): Promise<RateStatus> {
    const failureTimes = await store.readFailureTimes(source);
    const nowMs = clock.now().getTime();
    if (lockoutEndMs(failureTimes) > nowMs) throw lockedOut(failureTimes, nowMs);
    return rateStatus(LOGIN_POLICY, failureTimes, nowMs);
  }

  async function record(outcome: 'recordSuccess' | 'recordFailure', source: string) {
    const nowMs = clock.now().getTime();
    const { kind, failureTimes, failuresToday } = await store[outcome](source, nowMs);
    if (kind === 'rejected') throw lockedOut(failureTimes, nowMs);
    return { ...rateStatus(LOGIN_POLICY, failureTimes, nowMs), failuresToday };
  }

  return {
    getStatus,
    async beginAttempt(source) {
      await getStatus(source);
      return {
        recordSuccess: () => record('recordSuccess', source),
        recordFailure: () => record('recordFailure', source),
      };
    },
  };
}

/** Returns the end of the lockout that the latest 5 failures cause, in Unix milliseconds; 0 if they cause none. */
function lockoutEndMs(failureTimes: readonly number[]): number {
  const [oldestMs = 0] = failureTimes;
  const latestMs = failureTimes.at(-1) ?? 0;
  // With fewer than 5 failures, the oldest time is 0 and the span is longer than the window.
  const areWithinWindow = latestMs - oldestMs < LOGIN_POLICY.windowMs;
  return areWithinWindow ? latestMs + LOGIN_POLICY.lockoutMs : 0;
}

function lockedOut(failureTimes: readonly number[], nowMs: number): LoginBlocked {
  return new LoginBlocked('blocked-source', secondsUntil(lockoutEndMs(failureTimes), nowMs));
}
