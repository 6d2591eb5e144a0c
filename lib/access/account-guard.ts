import type { LoginAccount } from '../domain/directory.ts';
import { LoginBlocked } from './login-guard.ts';
import { ACCOUNT_POLICY, secondsUntil } from './policies.ts';

const { windowMs, failuresPerSource, failuresPerWindow, trustedSourcesPerPeriod } = ACCOUNT_POLICY;

/** The stored state of an account, or of a login name that does not exist, for an attempt from one source. */
export interface AccountRecord {
  /** A PHC string; null if there is no password. */
  readonly passwordHash: string | null;
  readonly tokensNotBeforeMs: number;
  /** Identifies the source; differs from account to account. */
  readonly sourceHash: string;
  /**
   * Identifies the source, the login name and the route. With the name, because the used slots of one name would reveal
   * that another name is of the same account. With the route, because wrong legacy calls must not lock out logins.
   */
  readonly slotHash: string;
  /** The failure slots that are used in the current window: a slotHash and the number of the slot. */
  readonly usedSlots: ReadonlySet<string>;
  readonly trustedSources: Readonly<Record<'current' | 'previous', ReadonlySet<string>>>;
  /** The attributes that no decision needs any more; the next write removes them. */
  readonly obsoleteAttributes: readonly string[];
}

/**
 * The store of the account guard. Each write depends on a free slot: the slot is unused, and fewer than
 * `failuresPerWindow` slots are used in the current window. Otherwise nothing is written.
 */
export interface AccountStore {
  readonly read: (account: LoginAccount, source: string, nowMs: number) => Promise<AccountRecord>;
  /**
   * Uses the slot, once even if the write is retried. Returns null, or the used slots if the slot is not free any more.
   */
  readonly recordFailure: (
    account: LoginAccount,
    record: AccountRecord,
    freeSlot: string,
    nowMs: number,
  ) => Promise<ReadonlySet<string> | null>;
  /**
   * Adds a trusted source to the current period, or (null) only checks the slot. A source that is trusted already needs
   * no free slot (null). Returns false if the slot is not free any more.
   */
  readonly recordSuccess: (
    account: LoginAccount,
    record: AccountRecord,
    change: { readonly freeSlot: string | null; readonly trustedSource: string | null },
    nowMs: number,
  ) => Promise<boolean>;
}

/**
 * Begins a login attempt whose password may be checked; throws LoginBlocked if the account is locked for the source. The
 * caller records the outcome before it responds; both functions throw LoginBlocked if other attempts have locked the
 * account for the source meanwhile.
 */
export type BeginAccountAttempt = (
  account: LoginAccount,
  source: string,
) => Promise<
  Pick<AccountRecord, 'passwordHash' | 'tokensNotBeforeMs'> & {
    readonly recordSuccess: () => Promise<void>;
    /** Returns how many failures the account has in the current window. */
    readonly recordFailure: () => Promise<number>;
  }
>;

/**
 * Creates the guard that limits the wrong passwords of an account, over all sources and both routes.
 *
 * In each window of 4 hours (UTC) a source has 10 failure slots for each login name and route, and all sources together
 * have 100 for the account. If none is free, the account is locked for the source until the window ends. A trusted
 * source is never locked out and uses no slot. A login name that does not exist has the same slots.
 *
 * Both outcomes are written on the condition that a slot of the source is still free. So parallel attempts get as many
 * responses as serial ones, and a correct password has no influence on which attempt gets a response.
 */
export function createAccountGuard(store: AccountStore, clock: { now(): Date }): BeginAccountAttempt {
  return async (account, source) => {
    const nowMs = clock.now().getTime();
    const record = await store.read(account, source, nowMs);
    const { passwordHash, tokensNotBeforeMs, sourceHash, trustedSources } = record;
    const isTrustedNow = trustedSources.current.has(sourceHash);
    const isTrusted = isTrustedNow || trustedSources.previous.has(sourceHash);
    const slotsAtBegin = isTrusted ? [] : findFreeSlots(record, nowMs);

    return {
      passwordHash,
      tokensNotBeforeMs,

      async recordSuccess() {
        const hasRoom = trustedSources.current.size < trustedSourcesPerPeriod;
        if (isTrustedNow || (isTrusted && !hasRoom)) return;
        // Failures use the slots from the first to the last: while the last one is free, the source is not locked out.
        const change = { freeSlot: slotsAtBegin.at(-1) ?? null, trustedSource: hasRoom ? sourceHash : null };
        const endMs = clock.now().getTime();
        if (!(await store.recordSuccess(account, record, change, endMs))) throw accountLocked(endMs);
      },

      async recordFailure() {
        if (isTrusted) return record.usedSlots.size;
        let { usedSlots } = record;
        // If another attempt of the source uses the slot first, the next free one is tried.
        for (let tries = 0; tries < failuresPerSource; tries++) {
          const endMs = clock.now().getTime();
          const [freeSlot] = findFreeSlots({ ...record, usedSlots }, endMs);
          const usedMeanwhile = await store.recordFailure(account, record, freeSlot, endMs);
          if (usedMeanwhile === null) return usedSlots.size + 1;
          usedSlots = usedMeanwhile;
        }
        throw accountLocked(clock.now().getTime());
      },
    };
  };
}

/** Returns the free slots of an attempt, the first one first; throws LoginBlocked if there is none. */
function findFreeSlots({ slotHash, usedSlots }: AccountRecord, nowMs: number): [string, ...string[]] {
  const slots = Array.from({ length: failuresPerSource }, (_, number) => `${slotHash}${number}`);
  const [first, ...others] = slots.filter((slot) => !usedSlots.has(slot));
  if (first === undefined || usedSlots.size >= failuresPerWindow) throw accountLocked(nowMs);
  return [first, ...others];
}

function accountLocked(nowMs: number): LoginBlocked {
  const windowEndMs = (Math.floor(nowMs / windowMs) + 1) * windowMs;
  return new LoginBlocked('account-locked', secondsUntil(windowEndMs, nowMs));
}
