import { ServiceError } from '../domain/errors.ts';
import { tooManyLogins } from '../domain/texts.ts';
import { LOGIN_POLICY } from './policies.ts';
import { rateStatus, type RateStatus, secondsUntil } from './rate-status.ts';

/**
 * Whether an attempt may be told its outcome; `failures`: the source's latest, oldest first, Unix milliseconds, 0:
 * none; `failuresToday`: how many it had on this day (UTC).
 */
export interface GuardDecision {
  readonly kind: 'allowed' | 'refused';
  readonly failures: readonly number[];
  readonly failuresToday: number;
}

/** What is told after a failure: the status, and how many failures the source had on this day (UTC). */
export interface FailureStatus extends RateStatus {
  readonly failuresToday: number;
}

/** The guard's store. All decisions on a source follow one another, and none is made while it is blocked. */
export interface GuardStore {
  /** The latest failures of a source, strongly consistent. */
  failures(source: string): Promise<readonly number[]>;
  succeed(source: string, nowMs: number): Promise<GuardDecision>;
  /** Adds a failure, once however often it is repeated. */
  fail(source: string, nowMs: number): Promise<GuardDecision>;
}

/**
 * An attempt whose password may be checked. `succeed` or `fail` is called before the caller is told anything; both
 * throw LoginBlocked when others have used up the failures meanwhile.
 */
export interface LoginAttempt {
  succeed(): Promise<RateStatus>;
  fail(): Promise<FailureStatus>;
}

/** The guard of sources; both throw LoginBlocked when the source is blocked. */
export interface LoginGuard {
  /** Admits an attempt. */
  readonly admit: (source: string) => Promise<LoginAttempt>;
  /** Tells what is left of the failures. */
  readonly look: (source: string) => Promise<RateStatus>;
}

/** An attempt whose outcome is not told: its source is blocked, or the failures of its account are used up. */
export class LoginBlocked extends ServiceError {
  override readonly reason: 'blocked-source' | 'spent-account';
  readonly retryAfterSeconds: number;

  constructor(reason: LoginBlocked['reason'], retryAfterSeconds: number) {
    super('RATE_LIMITED', tooManyLogins);
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Guards logins against guessing: a source is told of no more than five wrong passwords in 30 s, also when it tries
 * many at once, and then of nothing for 60 s. Right ones do not wait for each other.
 */
export function createLoginGuard(store: GuardStore, clock: { now(): Date }): LoginGuard {
  async function decided(source: string, decide: GuardStore['fail']): Promise<FailureStatus> {
    const nowMs = clock.now().getTime();
    const { kind, failures, failuresToday } = await decide(source, nowMs);
    if (kind === 'refused') throw new LoginBlocked('blocked-source', secondsUntil(blockEndMs(failures), nowMs));
    return { ...rateStatus(LOGIN_POLICY, failures, nowMs), failuresToday };
  }

  async function look(source: string): Promise<RateStatus> {
    const failures = await store.failures(source);
    const endMs = blockEndMs(failures);
    const nowMs = clock.now().getTime();
    if (endMs > nowMs) throw new LoginBlocked('blocked-source', secondsUntil(endMs, nowMs));
    return rateStatus(LOGIN_POLICY, failures, nowMs);
  }

  return {
    look,
    async admit(source) {
      await look(source);
      return {
        succeed: () => decided(source, (...attempt) => store.succeed(...attempt)),
        fail: () => decided(source, (...attempt) => store.fail(...attempt)),
      };
    },
  };
}

/** The end of the block that the latest failures make, in Unix milliseconds; 0 when they make none. */
function blockEndMs(failures: readonly number[]): number {
  const [first = 0] = failures;
  const last = failures.at(-1) ?? 0;
  return first > 0 && last - first < LOGIN_POLICY.windowMs ? last + LOGIN_POLICY.blockMs : 0;
}
