import type { ClaimedAccount } from '../domain/directory.ts';
import { LoginBlocked } from './login-guard.ts';
import { ACCOUNT_POLICY, KNOWN_SOURCES, REPORTED_FAILURES } from './policies.ts';
import { secondsUntil } from './rate-status.ts';

/**
 * The sources from which an account has logged in, by name, with the time of the latest noted login (Unix
 * milliseconds).
 */
export type KnownSources = Readonly<Record<string, number>>;

/**
 * Attempts with an API key of the account's company are counted apart from all others. So are those by e-mail from
 * those by username, or else one name would tell that the other belongs to it.
 */
export type RegisterName = 'email' | 'emailWithKey' | 'username' | 'usernameWithKey';

/** The failures of one kind of attempts; times are Unix milliseconds. */
export interface FailureRegister {
  /** The latest, oldest first; 0: none. */
  readonly times: readonly number[];
  /** Which of the policy's pauses is under way; it grows with each failure after a pause. */
  readonly pause: number;
}

/** How many failures there were since `fromMs` (Unix milliseconds), of all kinds. */
export interface FailureCount {
  readonly fromMs: number;
  readonly count: number;
}

/** What is stored of an account; times are Unix milliseconds. */
export interface AccountRecord {
  /** A PHC string. */
  readonly passwordHash: string | null;
  /** From when on its tokens are valid. */
  readonly tokensFromMs: number;
  readonly registers: Readonly<Record<RegisterName, FailureRegister>>;
  readonly recent: FailureCount;
  readonly knownSources: KnownSources;
  /** The name under which the source of this attempt is kept. */
  readonly sourceName: string;
}

/**
 * On which condition an outcome may be told: never mind the failures (`known`), while the budget lasts (`budget`), or
 * when the pause is over and still the one that was read (`pause`).
 */
export type Admission =
  | { readonly kind: 'known' }
  | { readonly kind: 'budget'; readonly register: RegisterName }
  | { readonly kind: 'pause'; readonly register: RegisterName; readonly pause: number };

/** Whether an attempt may be told its outcome; `current`: the registers, when it may not. */
export type AccountDecision =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'refused'; readonly current: Readonly<Record<RegisterName, FailureRegister>> };

/** The guard's store. It decides on one attempt after the other. */
export interface AccountStore {
  /** Strongly consistent. */
  readonly read: (account: ClaimedAccount, source: string) => Promise<AccountRecord>;
  /**
   * Adds a failure, once however often it is repeated; `recent` is what it makes of the count. One of a known source is
   * added to the count alone.
   */
  readonly fail: (
    account: ClaimedAccount,
    admission: Admission,
    recent: FailureCount,
    nowMs: number,
  ) => Promise<AccountDecision>;
  /** Notes that a source has logged in, and forgets others; a known one ends the pauses that have grown. */
  readonly noteSource: (
    account: ClaimedAccount,
    admission: Admission,
    source: { readonly name: string; readonly forget: readonly string[] },
    nowMs: number,
  ) => Promise<AccountDecision>;
}

/** Who attempts: `hasKey`: with a valid API key of the account's company. */
export interface Attempter {
  readonly source: string;
  readonly hasKey: boolean;
}

/**
 * An attempt on an account whose password may be checked. `succeed` or `fail` is called before the caller is told
 * anything; both throw LoginBlocked when the budget was spent meanwhile. `fail` tells the failures of the account in
 * some 24 hours.
 */
export interface AccountAttempt {
  readonly passwordHash: string | null;
  readonly tokensFromMs: number;
  readonly succeed: () => Promise<void>;
  readonly fail: () => Promise<number>;
}

/** Admits an attempt on an account; throws LoginBlocked when its budget is spent. */
export type AdmitToAccount = (account: ClaimedAccount, attempter: Attempter) => Promise<AccountAttempt>;

/**
 * Guards an account against guesses from many sources: by each of its names, with a key and without one, it may fail 20
 * times in 24 hours, then once more after pauses that grow. They shrink by a right login from a known source, or by a
 * day without failures. A source from which its owner has logged in within 30 days is not held up, and its failures
 * hold up nobody.
 */
export function createAccountGuard(store: AccountStore, clock: { now(): Date }): AdmitToAccount {
  return async (account, { source, hasKey }) => {
    const record = await store.read(account, source);
    const { passwordHash, tokensFromMs, registers, recent, knownSources, sourceName: name } = record;
    const register: RegisterName = `${account.isUsername ? 'username' : 'email'}${hasKey ? 'WithKey' : ''}`;
    const nowMs = clock.now().getTime();
    const notedMs = knownSources[name] ?? 0;
    const isKnown = notedMs > nowMs - KNOWN_SOURCES.lifetimeMs;
    const admission: Admission = isKnown ? { kind: 'known' } : admissionBy(register, registers[register], nowMs);

    async function decided(decide: (decisionMs: number) => Promise<AccountDecision>): Promise<void> {
      const decisionMs = clock.now().getTime();
      const decision = await decide(decisionMs);
      if (decision.kind === 'refused') throw spent(decision.current[register], decisionMs);
    }
    return {
      passwordHash,
      tokensFromMs,
      async succeed() {
        const hasGrown = Object.values(registers).some(({ pause }) => pause > 0);
        if (notedMs > nowMs - KNOWN_SOURCES.renewMs && !hasGrown) return;
        const forget = namesToForget(knownSources, name, nowMs);
        await decided((decisionMs) => store.noteSource(account, admission, { name, forget }, decisionMs));
      },
      async fail() {
        const isOver = nowMs - recent.fromMs >= REPORTED_FAILURES.windowMs;
        const counted = isOver ? { fromMs: nowMs, count: 1 } : { ...recent, count: recent.count + 1 };
        await decided((decisionMs) => store.fail(account, admission, counted, decisionMs));
        return counted.count;
      },
    };
  };
}

/** Throws LoginBlocked when the register admits no attempt now. */
function admissionBy(register: RegisterName, failures: FailureRegister, nowMs: number): Admission {
  const { times, pause } = failures;
  const windowStart = nowMs - ACCOUNT_POLICY.windowMs;
  const isQuiet = (times.at(-1) ?? 0) <= windowStart;
  if (isQuiet || (pause === 0 && (times[0] ?? 0) <= windowStart)) return { kind: 'budget', register };
  if (openFromMs(failures) > nowMs) throw spent(failures, nowMs);
  return { kind: 'pause', register, pause };
}

function spent(failures: FailureRegister, nowMs: number): LoginBlocked {
  return new LoginBlocked('spent-account', secondsUntil(openFromMs(failures), nowMs));
}

/** When one more failure is allowed, in Unix milliseconds. */
function openFromMs({ times, pause }: FailureRegister): number {
  const { windowMs, pausesMs } = ACCOUNT_POLICY;
  const afterPause = (times.at(-1) ?? 0) + (pausesMs[pause] ?? 0);
  return pause === 0 ? Math.min((times[0] ?? 0) + windowMs, afterPause) : afterPause;
}

/** Besides the one that is noted: those whose time is over, and of the others the oldest. */
function namesToForget(known: KnownSources, name: string, nowMs: number): string[] {
  const others = Object.entries(known)
    .filter(([other]) => other !== name)
    .toSorted(([, a], [, b]) => b - a);
  return others
    .filter(([, notedMs], index) => index >= KNOWN_SOURCES.most - 1 || notedMs <= nowMs - KNOWN_SOURCES.lifetimeMs)
    .map(([other]) => other);
}
