import type { LoginAccount } from '../domain/directory.ts';
import { LoginBlockedError } from './login-guard.ts';
import { ACCOUNT_POLICY, computeSecondsUntil } from './policies.ts';

const { windowMs, failuresPerSource, failuresPerWindow, trustedSourcesPerPeriod } = ACCOUNT_POLICY;

/** The stored state of an account, or of a login name that does not exist, for an attempt from one source. */
export interface AccountRecord {
  /** A PHC string; null if there is no password. */
  readonly passwordHash: string | null;
  readonly tokensNotBeforeMs: number;
  /** Identifies the source. The hash of one source is different in each account. */
  readonly sourceHash: string;
  /**
   * Identifies the source, the login name and the route. Without the name, the used slots of one name would reveal that
   * another name belongs to the same account. Without the route, wrong legacy calls would lock out logins.
   */
  readonly slotHash: string;
  /** The failure slots that are used in the current window. A slot is a slotHash and a number from 0. */
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
  /** Uses the slot, but only once if the write is retried. Returns all used slots if the slot is no longer free. */
  readonly recordFailure: (
    account: LoginAccount,
    record: AccountRecord,
    freeSlot: string,
    nowMs: number,
  ) => Promise<ReadonlySet<string> | null>;
  /**
   * Adds `trustedSource` (unless null) to the current period, on the condition that `freeSlot` (unless null) is free.
   * Returns false if the slot is not free any more.
   */
  readonly recordSuccess: (
    account: LoginAccount,
    record: AccountRecord,
    change: { readonly freeSlot: string | null; readonly trustedSource: string | null },
    nowMs: number,
  ) => Promise<boolean>;
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
    /** Returns how many failures the account has in the current window. */
    readonly recordFailure: () => Promise<number>;
  }
>;

/**
 * Creates the guard that limits the wrong passwords of an account, over all sources and both routes.
 *
 * In each window of 4 hours (UTC) a source has 10 failure slots for each login name and route, and all sources together
 * have 100 for the account. If no slot is free, the account is locked for the source until the window ends. A trusted
 * source is never locked out and uses no slot. A login name that does not exist has the same slots.
 *
 * Both outcomes are written on the condition that a slot of the source is still free. Therefore parallel attempts get
 * as many responses as serial ones, and a correct password has no influence on which attempt gets a response.
 */
export function createAccountGuard(store: AccountStore, clock: { now(): Date }): BeginAccountAttempt {
  return async (account, source) => {
    const nowMs = clock.now().getTime();
    const record = await store.read(account, source, nowMs);
    const { passwordHash, tokensNotBeforeMs, sourceHash, trustedSources } = record;
    const isTrustedNow = trustedSources.current.has(sourceHash);
    const isTrusted = isTrustedNow || trustedSources.previous.has(sourceHash);
    const initialFreeSlots = isTrusted ? [] : requireFreeSlots(record, nowMs);

    return {
      passwordHash,
      tokensNotBeforeMs,

      async recordSuccess() {
        const hasRoom = trustedSources.current.size < trustedSourcesPerPeriod;
        if (isTrustedNow || (isTrusted && !hasRoom)) return;
        // Failures use the slots from the first to the last. While the last slot is free, the source is not locked out.
        const change = { freeSlot: initialFreeSlots.at(-1) ?? null, trustedSource: hasRoom ? sourceHash : null };
        const endMs = clock.now().getTime();
        if (!(await store.recordSuccess(account, record, change, endMs))) throw createAccountLockedError(endMs);
      },

      async recordFailure() {
        if (isTrusted) return record.usedSlots.size;
        let { usedSlots } = record;
        // If another attempt of the source uses the slot first, the next free slot is used.
        for (let tries = 0; tries < failuresPerSource; tries++) {
          const endMs = clock.now().getTime();
          const [freeSlot] = requireFreeSlots({ ...record, usedSlots }, endMs);
          const currentUsedSlots = await store.recordFailure(account, record, freeSlot, endMs);
          if (currentUsedSlots === null) return usedSlots.size + 1;
          usedSlots = currentUsedSlots;
        }
        throw createAccountLockedError(clock.now().getTime());
      },
    };
  };
}

/** Returns the free slots of an attempt, in the order of their numbers; throws LoginBlockedError if there is none. */
function requireFreeSlots({ slotHash, usedSlots }: AccountRecord, nowMs: number): [string, ...string[]] {
  const slots = Array.from({ length: failuresPerSource }, (_, number) => `${slotHash}${number}`);
  const [firstSlot, ...laterSlots] = slots.filter((slot) => !usedSlots.has(slot));
  if (firstSlot === undefined || usedSlots.size >= failuresPerWindow) throw createAccountLockedError(nowMs);
  return [firstSlot, ...laterSlots];
}

function createAccountLockedError(nowMs: number): LoginBlockedError {
  const windowEndMs = (Math.floor(nowMs / windowMs) + 1) * windowMs;
  return new LoginBlockedError('account-locked', computeSecondsUntil(windowEndMs, nowMs));
}
