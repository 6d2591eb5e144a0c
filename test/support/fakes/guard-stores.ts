import type { LoginAccount } from '../../../lib/domain/directory.ts';
import type { AccountAttempt, AccountStore } from '../../../lib/access/account-guard.ts';
import type { GuardStore } from '../../../lib/access/login-guard.ts';
import { ACCOUNT_POLICY, LOGIN_POLICY } from '../../../lib/access/policies.ts';
import type { RateCounterStore } from '../../../lib/access/sliding-window.ts';

/** Creates a store of the login guard in memory, with the write conditions of its table. */
export function createGuardStoreFake(): GuardStore {
  const { limit, windowMs, lockoutMs } = LOGIN_POLICY;
  const records = new Map<string, number[]>();
  let failuresToday = 0;
  const readTimes = (source: string) => records.get(source) ?? Array<number>(limit).fill(0);
  const isLockedOut = (source: string, nowMs: number) => {
    const [oldest = 0, latest = 0] = [readTimes(source)[0], readTimes(source).at(-1)];
    return oldest > 0 && latest - oldest < windowMs && latest > nowMs - lockoutMs;
  };
  const buildDecision = (source: string, isAccepted: boolean) =>
    ({ kind: isAccepted ? 'accepted' : 'rejected', failureTimes: readTimes(source), failuresToday }) as const;
  return {
    readFailureTimes: async (source) => readTimes(source),
    recordSuccess: async (source, nowMs) => buildDecision(source, !isLockedOut(source, nowMs)),
    async recordFailure(source, nowMs) {
      const isAccepted = !isLockedOut(source, nowMs);
      if (isAccepted) records.set(source, [...readTimes(source).slice(1), nowMs]);
      if (isAccepted) failuresToday++;
      return buildDecision(source, isAccepted);
    },
  };
}

/** Creates an account store in memory, with the write conditions of its table. Every password is `right`. */
export function createAccountStoreFake({
  windowMs,
  periodMs,
}: Pick<typeof ACCOUNT_POLICY, 'windowMs' | 'periodMs'> = ACCOUNT_POLICY): AccountStore {
  const counters = new Map<string, number>();
  const trustedSources = new Map<string, Set<string>>();
  const toAccountKey = ({ loginName, user }: LoginAccount) => user?.userId ?? `unknown ${loginName}`;
  const findOrAddSources = (account: LoginAccount, period: number) => {
    const name = `${toAccountKey(account)} ${period}`;
    return trustedSources.get(name) ?? trustedSources.set(name, new Set()).get(name)!;
  };
  const buildCounterName = (account: LoginAccount, nowMs: number, counterHash = '') =>
    `${toAccountKey(account)} ${Math.floor(nowMs / windowMs)} ${counterHash}`;

  /** Adds `added` to the counters, unless one has reached its limit. */
  function count({ account, counterHash, counters: used }: AccountAttempt, nowMs: number, added: number): boolean {
    const names = {
      account: buildCounterName(account, nowMs),
      source: buildCounterName(account, nowMs, counterHash),
    };
    if (used.some(({ name, limit }) => (counters.get(names[name]) ?? 0) >= limit)) return false;
    for (const { name } of used) counters.set(names[name], (counters.get(names[name]) ?? 0) + added);
    return true;
  }

  return {
    async read(account, source, nowMs) {
      const period = Math.floor(nowMs / periodMs);
      const counterHash = `hash of ${source} and ${account.loginName.toLowerCase()}`;
      return {
        account,
        passwordHash: account.user && 'hash of right',
        tokensNotBeforeMs: 0,
        sourceHash: `hash of ${source}`,
        counterHash,
        failures: {
          source: counters.get(buildCounterName(account, nowMs, counterHash)) ?? 0,
          account: counters.get(buildCounterName(account, nowMs)) ?? 0,
        },
        trustedSources: {
          current: new Set(findOrAddSources(account, period)),
          previous: new Set(findOrAddSources(account, period - 1)),
        },
        obsoleteAttributes: [],
      };
    },
    recordFailure: async (attempt, nowMs) => count(attempt, nowMs, 1),
    async recordSuccess(attempt, newTrustedSource, nowMs) {
      const isWritten = count(attempt, nowMs, 0);
      const sources = findOrAddSources(attempt.account, Math.floor(nowMs / periodMs));
      if (isWritten && newTrustedSource) sources.add(newTrustedSource);
      return isWritten;
    },
  };
}

/** Creates a store of rate counters in memory, with the condition of its table. `keys` records all calls. */
export function createRateCountersFake(): RateCounterStore & { readonly keys: string[] } {
  const counters = new Map<string, readonly number[]>();
  const keys: string[] = [];
  return {
    keys,
    async add(key, { limit, windowMs }, nowMs) {
      keys.push(key);
      const times = counters.get(key) ?? [];
      if (times.length === limit && (times[0] ?? 0) > nowMs - windowMs) return { kind: 'full', times };
      counters.set(key, [...times, nowMs].slice(-limit));
      return { kind: 'added', times: counters.get(key) ?? [] };
    },
  };
}
