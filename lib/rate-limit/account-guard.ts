import type { ClaimedAccount } from '../domain/directory.ts';
import { LoginBlocked } from './login-guard.ts';
import { ACCOUNT_POLICY, KNOWN_SOURCES } from './policies.ts';
import { secondsUntil } from './rate-status.ts';

/**
 * The sources from which an account has logged in, by name, with the time of the latest noted login (Unix
 * milliseconds).
 */
export type KnownSources = Readonly<Record<string, number>>;

/** What is stored of an account; times are Unix milliseconds. */
export interface AccountRecord {
  /** A PHC string. */
  readonly passwordHash: string | null;
  /** From when on its tokens are valid. */
  readonly tokensFromMs: number;
  /** The latest failures, oldest first; 0: none. */
  readonly failures: readonly number[];
  readonly knownSources: KnownSources;
  /** The name under which the source of this attempt is kept. */
  readonly sourceName: string;
}

/** Whether an attempt may be told its outcome, and the account's latest failures then. */
export interface AccountDecision {
  readonly kind: 'allowed' | 'refused';
  readonly failures: readonly number[];
}

/**
 * The guard's store. It decides on one attempt after the other; while the budget is spent, only known sources are
 * allowed.
 */
export interface AccountStore {
  /** Strongly consistent. */
  readonly read: (account: ClaimedAccount, source: string) => Promise<AccountRecord>;
  /** Adds a failure, once however often it is repeated. */
  readonly fail: (account: ClaimedAccount, isKnown: boolean, nowMs: number) => Promise<AccountDecision>;
  /** Notes that a source has logged in, and forgets others. */
  readonly noteSource: (
    account: ClaimedAccount,
    source: { readonly name: string; readonly forget: readonly string[]; readonly isKnown: boolean },
    nowMs: number,
  ) => Promise<AccountDecision>;
}

/**
 * An attempt on an account whose password may be checked. `succeed` or `fail` is called before the caller is told
 * anything; both throw LoginBlocked when the budget was spent meanwhile.
 */
export interface AccountAttempt {
  readonly passwordHash: string | null;
  readonly tokensFromMs: number;
  readonly succeed: () => Promise<void>;
  readonly fail: () => Promise<void>;
}

/** Admits an attempt of a source on an account; throws LoginBlocked when its budget is spent. */
export type AdmitToAccount = (account: ClaimedAccount, source: string) => Promise<AccountAttempt>;

/**
 * Guards an account against guesses from many sources: it may fail 20 times in 15 minutes, then once more a minute. A
 * source from which its owner has logged in within 30 days is not held up.
 */
export function createAccountGuard(store: AccountStore, clock: { now(): Date }): AdmitToAccount {
  return async (account, source) => {
    const { passwordHash, tokensFromMs, failures, knownSources, sourceName: name } = await store.read(account, source);
    const nowMs = clock.now().getTime();
    const notedMs = knownSources[name] ?? 0;
    const isKnown = notedMs > nowMs - KNOWN_SOURCES.lifetimeMs;
    if (!isKnown) requireBudget(failures, nowMs);

    async function decided(decide: (decisionMs: number) => Promise<AccountDecision>): Promise<void> {
      const decisionMs = clock.now().getTime();
      const decision = await decide(decisionMs);
      if (decision.kind === 'refused') throw spent(decision.failures, decisionMs);
    }
    return {
      passwordHash,
      tokensFromMs,
      async succeed() {
        if (notedMs > nowMs - KNOWN_SOURCES.renewMs) return;
        const forget = namesToForget(knownSources, name, nowMs);
        await decided((decisionMs) => store.noteSource(account, { name, forget, isKnown }, decisionMs));
      },
      fail: () => decided((decisionMs) => store.fail(account, isKnown, decisionMs)),
    };
  };
}

function requireBudget(failures: readonly number[], nowMs: number): void {
  if (spentUntilMs(failures) > nowMs) throw spent(failures, nowMs);
}

function spent(failures: readonly number[], nowMs: number): LoginBlocked {
  return new LoginBlocked('spent-account', secondsUntil(spentUntilMs(failures), nowMs));
}

/** When one more failure is allowed, in Unix milliseconds. */
function spentUntilMs(failures: readonly number[]): number {
  const [first = 0] = failures;
  const last = failures.at(-1) ?? 0;
  return Math.min(first + ACCOUNT_POLICY.windowMs, last + ACCOUNT_POLICY.pauseMs);
}

/** Besides the one that is noted: those whose time is over, and of the others the oldest. */
function namesToForget(known: KnownSources, name: string, nowMs: number): string[] {
  const others = Object.entries(known)
    .filter(([other]) => other !== name)
    .toSorted(([, a], [, b]) => b - a);
  return others
    .filter(([, notedMs], place) => place >= KNOWN_SOURCES.most - 1 || notedMs <= nowMs - KNOWN_SOURCES.lifetimeMs)
    .map(([other]) => other);
}
