import { ServiceError } from '../domain/errors.ts';
import { LOGIN_POLICY } from './policies.ts';
import { rateStatus, type RateStatus, secondsUntil } from './rate-status.ts';

/**
 * One source's five places, as they are stored. A place is taken by an attempt in flight (until its lease ends) or by a
 * failure (for 30 s), so that no more than five wrong passwords can be checked in any 30 s, however many arrive at once.
 */
export interface GuardRecord {
  readonly leases: readonly number[];
  readonly failures: readonly number[];
  readonly blockedUntilMs: number;
}

/** The guard's store; times are Unix milliseconds, 0 = never. */
export interface GuardStore {
  /** Leases a place on the condition that it is free and the source is not blocked; the record is as it stands after the call. */
  lease(
    source: string,
    place: number,
    times: { nowMs: number; untilMs: number },
  ): Promise<{ leased: boolean; record: GuardRecord }>;
  release(source: string, place: number): Promise<GuardRecord>;
  fail(source: string, place: number, nowMs: number): Promise<GuardRecord>;
  block(source: string, untilMs: number): Promise<void>;
}

/** A place held by one attempt: exactly one of the two is called when the password has been checked. */
export interface LoginAttempt {
  succeed(): Promise<RateStatus>;
  fail(): Promise<RateStatus>;
}

/** An attempt that was not admitted; the password was not looked at. */
export class LoginBlocked extends ServiceError {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('RATE_LIMITED', 'Too many failed login attempts. Try again later.', { reason: 'blocked-source' });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

// A crashed attempt keeps its place as long as a failure would.
const LEASE_MS = LOGIN_POLICY.windowMs;
const MAX_WAIT_MS = 15_000;
const POLL_MS = { least: 20, most: 60 };

/** Admits login attempts of a source: waits while all places are in flight, refuses (LoginBlocked) while it is blocked. */
export function createLoginGuard(
  store: GuardStore,
  clock: { now(): Date },
): { admit(source: string): Promise<LoginAttempt> } {
  const nowMs = () => clock.now().getTime();

  async function admit(source: string): Promise<LoginAttempt> {
    const deadlineMs = performance.now() + MAX_WAIT_MS;
    let place = randomPlace();
    for (;;) {
      const startMs = nowMs();
      const { leased, record } = await store.lease(source, place, { nowMs: startMs, untilMs: startMs + LEASE_MS });
      if (leased) return attempt(source, place);
      if (record.blockedUntilMs > startMs) throw new LoginBlocked(secondsUntil(record.blockedUntilMs, startMs));
      const free = freePlaces(record, startMs);
      const next = free[Math.floor(Math.random() * free.length)];
      if (next === undefined) {
        if (performance.now() > deadlineMs) throw new LoginBlocked(1);
        await pause();
      }
      place = next ?? randomPlace();
    }
  }

  function attempt(source: string, place: number): LoginAttempt {
    return {
      async succeed() {
        const record = await store.release(source, place);
        return rateStatus(LOGIN_POLICY, record.failures, nowMs());
      },
      async fail() {
        const failedMs = nowMs();
        const record = await store.fail(source, place, failedMs);
        const status = rateStatus(LOGIN_POLICY, record.failures, failedMs);
        if (status.remaining === 0) await store.block(source, failedMs + LOGIN_POLICY.blockMs);
        return status;
      },
    };
  }

  return { admit };
}

function freePlaces({ leases, failures }: GuardRecord, nowMs: number): number[] {
  return [...Array(LOGIN_POLICY.limit).keys()].filter(
    (place) => (leases[place] ?? 0) <= nowMs && (failures[place] ?? 0) <= nowMs - LOGIN_POLICY.windowMs,
  );
}

function randomPlace(): number {
  return Math.floor(Math.random() * LOGIN_POLICY.limit);
}

function pause(): Promise<void> {
  const ms = POLL_MS.least + Math.random() * (POLL_MS.most - POLL_MS.least);
  return new Promise((resolve) => setTimeout(resolve, ms));
}
