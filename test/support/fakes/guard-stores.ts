import type { LoginAccount } from '../../../lib/domain/directory.ts';
import type { AccountStore } from '../../../lib/access/account-guard.ts';
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
  failuresPerWindow,
  periodMs,
}: Pick<typeof ACCOUNT_POLICY, 'windowMs' | 'failuresPerWindow' | 'periodMs'> = ACCOUNT_POLICY): AccountStore {
  const sets = new Map<string, Set<string>>();
  const toAccountKey = ({ loginName, user }: LoginAccount) => user?.userId ?? `unknown ${loginName}`;
  const findOrAddSet = (account: LoginAccount, kind: 'f' | 's', number: number) => {
    const name = `${toAccountKey(account)} ${kind}_${number}`;
    return sets.get(name) ?? sets.set(name, new Set()).get(name)!;
  };
  const getUsedSlots = (account: LoginAccount, nowMs: number) =>
    findOrAddSet(account, 'f', Math.floor(nowMs / windowMs));
  const isFree = (account: LoginAccount, slot: string, nowMs: number) => {
    const used = getUsedSlots(account, nowMs);
    return !used.has(slot) && used.size < failuresPerWindow;
  };
  return {
    async read(account, source, nowMs) {
      const period = Math.floor(nowMs / periodMs);
      return {
        passwordHash: account.user && 'hash of right',
        tokensNotBeforeMs: 0,
        sourceHash: `hash of ${source}`,
        slotHash: `hash of ${source} and ${account.loginName.toLowerCase()} `,
        usedSlots: new Set(getUsedSlots(account, nowMs)),
        trustedSources: {
          current: new Set(findOrAddSet(account, 's', period)),
          previous: new Set(findOrAddSet(account, 's', period - 1)),
        },
        obsoleteAttributes: [],
      };
    },
    async recordFailure(account, _record, freeSlot, nowMs) {
      if (!isFree(account, freeSlot, nowMs)) return new Set(getUsedSlots(account, nowMs));
      getUsedSlots(account, nowMs).add(freeSlot);
      return null;
    },
    async recordSuccess(account, _record, { freeSlot, trustedSource }, nowMs) {
      const isWritten = freeSlot === null || isFree(account, freeSlot, nowMs);
      if (isWritten && trustedSource) findOrAddSet(account, 's', Math.floor(nowMs / periodMs)).add(trustedSource);
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
